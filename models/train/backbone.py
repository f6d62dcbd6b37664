"""MobileNet v2 and v1 in Keras, their starts taken from the public quantised files.

The public files hold batch normalisation folded into the convolutions. Their integers, less the zero point and times the scale,
are the weights that our training starts from; no tensor of them is shipped unchanged.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow import keras

# (expansion, output channels, repeats, stride of the first), from table 2 of the MobileNetV2 paper (arXiv 1801.04381).
BLOCKS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
STEM_CHANNELS = 32
TOP_CHANNELS = 1280
# (output channels, stride), from table 1 of the MobileNet paper (arXiv 1704.04861).
LAYERS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip


@dataclass(frozen=True)
class Family:
    """A net that can be trained."""

    name: str
    build: Callable[[int, bool], keras.Model]
    """From the side of a picture, and whether kernels are rounded (`grid`), to a model with a dictionary of activation maps."""
    levels: tuple[str, ...]
    """The maps whose means are the features: late ones know things, earlier ones know texture."""
    public: str
    """The public file that training starts from."""


def build_v2(size: int, grid: bool = False) -> keras.Model:
    """A model from pixels in -1..1, shape (batch, size, size, 3), to a dictionary of activation maps.

    The maps are the ReLU6 activations of every expansion (`expand_1` to `expand_16`) and the last one (`top`). With
    `grid`, kernels are rounded on the way as the quantised file will hold them, for training against it.
    """
    pixels = keras.Input((size, size, 3), name="pixels")
    x = _conv(pixels, STEM_CHANNELS, 3, 2, "stem", activation=True, grid=grid)
    maps = {}
    number = 0
    for expansion, channels, repeats, stride in BLOCKS:
        for repeat in range(repeats):
            entry = x
            if expansion != 1:
                x = _conv(x, x.shape[-1] * expansion, 1, 1, f"expand_{number}", activation=True, grid=grid)
                maps[f"expand_{number}"] = x
            x = _depthwise(x, stride if repeat == 0 else 1, f"depthwise_{number}", grid=grid)
            x = _conv(x, channels, 1, 1, f"project_{number}", activation=False, grid=grid)
            if repeat > 0:
                x = keras.layers.Add(name=f"add_{number}")([entry, x])
            number += 1
    maps["top"] = _conv(x, TOP_CHANNELS, 1, 1, "top", activation=True, grid=grid)
    return keras.Model(pixels, maps, name="mobilenet_v2")


def build_v1(size: int, grid: bool = False) -> keras.Model:
    """Likewise; the maps are the activations behind every pointwise convolution (`pointwise_1` to `pointwise_13`)."""
    pixels = keras.Input((size, size, 3), name="pixels")
    x = _conv(pixels, STEM_CHANNELS, 3, 2, "stem", activation=True, grid=grid)
    maps = {}
    for number, (channels, stride) in enumerate(LAYERS, start=1):
        x = _depthwise(x, stride, f"depthwise_{number}", grid=grid)
        x = _conv(x, channels, 1, 1, f"pointwise_{number}", activation=True, grid=grid)
        maps[f"pointwise_{number}"] = x
    return keras.Model(pixels, maps, name="mobilenet_v1")


V2 = Family("v2", build_v2, ("top", "expand_16", "expand_13"), "tf2_mobilenet_v2_1.0_224_ptq.tflite")
V1 = Family(
    "v1", build_v1, ("pointwise_13", "pointwise_12", "pointwise_11"), "mobilenet_v1_1.0_224_quant_embedding_extractor.tflite"
)


def load_public_weights(backbone: keras.Model, path: str) -> None:
    """Fill the backbone from the public file, which may have a classifier behind it."""
    interpreter = tf.lite.Interpreter(
        path, experimental_op_resolver_type=tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    )
    interpreter.allocate_tensors()
    tensors = {detail["index"]: detail for detail in interpreter.get_tensor_details()}
    pairs = []
    for op in interpreter._get_ops_details():  # the public API does not tell which tensor feeds which operation
        if op["op_name"] in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            pairs.append([_dequantise(interpreter, tensors[index]) for index in op["inputs"][1:3]])
    layers = [layer for layer in backbone.layers if layer.weights]
    if len(pairs) - len(layers) not in (0, 1):
        raise ValueError(f"{path}: {len(pairs)} convolutions, expected {len(layers)}, or one more")
    for layer, (kernel, bias) in zip(layers, pairs):
        # Both kinds of the file's kernels become (height, width, in, out), or (height, width, channels, 1).
        layer.set_weights([np.transpose(kernel, (1, 2, 3, 0)), bias])


class GridConv2D(keras.layers.Conv2D):
    """A convolution that is trained as the device will run it: the kernel rounded to 255 steps a channel."""

    def call(self, inputs):
        return tf.nn.conv2d(inputs, on_grid(self.kernel, (0, 1, 2)), self.strides, "SAME") + self.bias


class GridDepthwiseConv2D(keras.layers.DepthwiseConv2D):
    """Likewise, for a kernel of shape (height, width, channels, 1)."""

    def call(self, inputs):
        strides = (1, *self.strides, 1)
        return tf.nn.depthwise_conv2d(inputs, on_grid(self.kernel, (0, 1, 3)), strides, "SAME") + self.bias


def on_grid(kernel, axes: tuple[int, ...]):
    """The kernel as int8 holds it; gradients pass as if it were not rounded."""
    kernel = tf.convert_to_tensor(kernel)
    step = tf.reduce_max(tf.abs(kernel), axis=axes, keepdims=True) / 127 + 1e-12
    return kernel + tf.stop_gradient(tf.round(kernel / step) * step - kernel)


def put_on_grid(backbone: keras.Model) -> None:
    """Round the kernels themselves, so that the conversion finds what training ended with."""
    for layer in backbone.layers:
        if layer.weights:
            axes = (0, 1, 3) if isinstance(layer, keras.layers.DepthwiseConv2D) else (0, 1, 2)
            kernel, bias = layer.get_weights()
            layer.set_weights([on_grid(kernel, axes).numpy(), bias])


def _conv(x, channels: int, kernel: int, stride: int, name: str, activation: bool, grid: bool):
    layer = GridConv2D if grid else keras.layers.Conv2D
    x = layer(channels, kernel, stride, padding="same", name=name)(x)
    return keras.layers.ReLU(6.0, name=f"{name}_relu")(x) if activation else x


def _depthwise(x, stride: int, name: str, grid: bool):
    layer = GridDepthwiseConv2D if grid else keras.layers.DepthwiseConv2D
    x = layer(3, stride, padding="same", name=name)(x)
    return keras.layers.ReLU(6.0, name=f"{name}_relu")(x)


def _dequantise(interpreter, detail) -> np.ndarray:
    values = interpreter.get_tensor(detail["index"]).astype(np.float32)
    parameters = detail["quantization_parameters"]
    scales, zeros = parameters["scales"], parameters["zero_points"]
    shape = [1] * values.ndim
    shape[parameters["quantized_dimension"]] = scales.size
    return (values - zeros.reshape(shape)) * scales.reshape(shape)
