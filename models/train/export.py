"""From a trained net and its last layer to the file that the device loads.

The net runs on full-integer kernels. The last layer stays in float: its whitening sets small differences of large
numbers apart, which eight bits would blur, and it is under two per cent of the work.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

FLOAT_LAYER_VERSION = 1


def quantise(net: keras.Model, size: int, calibration: np.ndarray) -> bytes:
    """The net as a file: uint8 pixels in (the runtime's JavaScript face has no int8), a float vector out per level.

    Pictures have `size` pixels a side, of which the net sees the middle.
    """
    pixels = keras.Input(batch_shape=(1, size, size, 3), name="pixels")
    levels = keras.Model(net.input, net.get_layer("features").input)
    middle = keras.layers.Cropping2D((size - net.input.shape[1]) // 2, name="middle")(pixels)
    converter = tf.lite.TFLiteConverter.from_keras_model(keras.Model(pixels, levels(middle)))
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: (
        [(picture[None].astype(np.float32) - 127.5) / 127.5] for picture in calibration
    )
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = tf.uint8
    converter.inference_output_type = tf.float32
    return bytes(converter.convert())


def append_layer(data: bytes, kernel: np.ndarray, bias: np.ndarray, widths: list[int]) -> bytes:
    """The file with its outputs put side by side, in the order of `widths`, and the linear layer behind them."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(data))
    graph = model.subgraphs[0]
    _cut_first(graph)
    levels = sorted(graph.outputs, key=lambda index: widths.index(int(graph.tensors[index].shape[-1])))
    joined = _add_tensor(model, "features", [1, sum(widths)])
    weights = _add_tensor(model, "embedding/kernel", kernel.T.shape, np.ascontiguousarray(kernel.T, np.float32))
    offsets = _add_tensor(model, "embedding/bias", bias.shape, bias.astype(np.float32))
    embedding = _add_tensor(model, "embedding", [1, kernel.shape[1]])
    concatenation = schema.ConcatenationOptionsT()
    concatenation.axis = 1
    _add_operator(model, schema.BuiltinOperator.CONCATENATION, levels, joined, "ConcatenationOptions", concatenation)
    layer = [joined, weights, offsets]
    options = schema.FullyConnectedOptionsT()
    _add_operator(model, schema.BuiltinOperator.FULLY_CONNECTED, layer, embedding, "FullyConnectedOptions", options)
    graph.outputs = [embedding]
    for signature in model.signatureDefs or []:
        signature.outputs = signature.outputs[:1]
        signature.outputs[0].tensorIndex = embedding
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def run_tflite(data: bytes, pictures, threads: int = 2) -> np.ndarray:
    """What the file gives for uint8 pictures; several outputs are put side by side, the widest first."""
    interpreter = tf.lite.Interpreter(model_content=data, num_threads=threads)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]["index"]
    exits = sorted(interpreter.get_output_details(), key=lambda detail: -detail["shape"][-1])
    vectors = []
    for picture in pictures:
        interpreter.set_tensor(entry, picture[None])
        interpreter.invoke()
        vectors.append(np.concatenate([interpreter.get_tensor(detail["index"])[0] for detail in exits]))
    return np.stack(vectors)


def write_model(folder: Path, name: str, data: bytes, manifest: dict) -> None:
    """The file and its manifest; the manifest last, as it holds the digest that the device checks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.tflite").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    file = {"file": f"{name}.tflite", "sha256": digest, "bytes": len(data)}
    head = {"name": name, "version": manifest["version"], **file}
    (folder / f"{name}.json").write_text(json.dumps({**head, **manifest}, indent=2) + "\n")


def _cut_first(graph) -> None:
    """The middle is cut out of the uint8 pixels and then quantised; the converter does it the other way round, which costs
    0.3 ms for pixels that nobody looks at."""
    quantising, cutting = graph.operators[:2]
    pixels, whole, part = quantising.inputs[0], quantising.outputs[0], cutting.outputs[0]
    cut = graph.tensors[whole]
    cut.type, cut.quantization = graph.tensors[pixels].type, graph.tensors[pixels].quantization
    cut.shape, cut.shapeSignature = graph.tensors[part].shape, None
    cutting.inputs[0], cutting.outputs = pixels, [whole]
    quantising.inputs, quantising.outputs = [whole], [part]
    graph.operators[:2] = cutting, quantising


def _add_tensor(model, name: str, shape, values: np.ndarray | None = None) -> int:
    tensor = schema.TensorT()
    tensor.name = name.encode()
    tensor.shape = [int(side) for side in shape]
    tensor.type = schema.TensorType.FLOAT32
    tensor.buffer = len(model.buffers)
    buffer = schema.BufferT()
    if values is not None:
        buffer.data = np.frombuffer(values.tobytes(), np.uint8)
    model.buffers.append(buffer)
    model.subgraphs[0].tensors.append(tensor)
    return len(model.subgraphs[0].tensors) - 1


def _add_operator(model, builtin: int, inputs: list[int], output: int, kind: str, options) -> None:
    code = schema.OperatorCodeT()
    code.builtinCode = builtin
    code.deprecatedBuiltinCode = builtin
    code.version = FLOAT_LAYER_VERSION
    model.operatorCodes.append(code)
    operator = schema.OperatorT()
    operator.opcodeIndex = len(model.operatorCodes) - 1
    operator.inputs = [int(index) for index in inputs]
    operator.outputs = [output]
    operator.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
    operator.builtinOptions = options
    model.subgraphs[0].operators.append(operator)
