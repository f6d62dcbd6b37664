"""From a trained net and its last layer to the file that the device loads.

The net runs on full-integer kernels. Colours and the last layer stay in float: its whitening sets small differences of
large numbers apart, which eight bits would blur, and both are a few per cent of the work.
"""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

OPERATOR_VERSION = 1
SELF_TEST_NUMBERS = 16
TENSOR_TYPES = {"float32": schema.TensorType.FLOAT32, "int32": schema.TensorType.INT32}


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
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(converter.convert()))
    _cut_first(model.subgraphs[0])
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def add_colours(data: bytes, kernel: np.ndarray, bias: np.ndarray, block: int) -> bytes:
    """The file with one more output: the shares of colours (`colours.py`) in what the net sees."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(data))
    graph = model.subgraphs[0]
    pixels = graph.operators[0].outputs[0]
    seen = graph.tensors[pixels]
    side, count = int(seen.shape[1]) // block, kernel.shape[1]
    small = _add_tensor(model, "colours/small", [1, side, side, 3], like=seen)
    real = _add_tensor(model, "colours/real", [1, side, side, 3])
    weights = _add_tensor(model, "colours/kernel", [count, 1, 1, 3], np.ascontiguousarray(kernel.T, np.float32))
    offsets = _add_tensor(model, "colours/bias", [count], bias.astype(np.float32))
    nearness = _add_tensor(model, "colours/nearness", [1, side, side, count])
    belonging = _add_tensor(model, "colours/belonging", [1, side, side, count])
    places = _add_tensor(model, "colours/places", [2], np.array([1, 2], np.int32))
    shares = _add_tensor(model, "colours", [1, count])

    pool = schema.Pool2DOptionsT()
    pool.padding = schema.Padding.VALID
    pool.strideH = pool.strideW = pool.filterHeight = pool.filterWidth = block
    convolution = schema.Conv2DOptionsT()
    convolution.strideH = convolution.strideW = 1
    softmax = schema.SoftmaxOptionsT()
    softmax.beta = 1.0
    operator = schema.BuiltinOperator
    _add_operator(model, operator.AVERAGE_POOL_2D, [pixels], small, pool)
    _add_operator(model, operator.DEQUANTIZE, [small], real, schema.DequantizeOptionsT())
    _add_operator(model, operator.CONV_2D, [real, weights, offsets], nearness, convolution)
    _add_operator(model, operator.SOFTMAX, [nearness], belonging, softmax)
    _add_operator(model, operator.MEAN, [belonging, places], shares, schema.ReducerOptionsT())
    graph.outputs = [*graph.outputs, shares]
    model.signatureDefs = None
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def append_layer(data: bytes, kernel: np.ndarray, bias: np.ndarray, widths: list[int]) -> bytes:
    """The file with its outputs put side by side, in the order of `widths`, and the linear layer behind their square roots."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(data))
    graph = model.subgraphs[0]
    levels = sorted(graph.outputs, key=lambda index: widths.index(int(graph.tensors[index].shape[-1])))
    joined = _add_tensor(model, "features", [1, sum(widths)])
    roots = _add_tensor(model, "features/roots", [1, sum(widths)])
    weights = _add_tensor(model, "embedding/kernel", kernel.T.shape, np.ascontiguousarray(kernel.T, np.float32))
    offsets = _add_tensor(model, "embedding/bias", bias.shape, bias.astype(np.float32))
    embedding = _add_tensor(model, "embedding", [1, kernel.shape[1]])
    concatenation = schema.ConcatenationOptionsT()
    concatenation.axis = 1
    _add_operator(model, schema.BuiltinOperator.CONCATENATION, levels, joined, concatenation)
    _add_operator(model, schema.BuiltinOperator.SQRT, [joined], roots)
    layer = [roots, weights, offsets]
    _add_operator(model, schema.BuiltinOperator.FULLY_CONNECTED, layer, embedding, schema.FullyConnectedOptionsT())
    graph.outputs = [embedding]
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def join(files: list[bytes]) -> bytes:
    """One file of several that take the same pictures: its vector has theirs side by side, each with a length of 1 before.

    So the cosine of two vectors is the mean of the files' own.
    """
    model, *others = [flatbuffer_utils.convert_bytearray_to_object(bytearray(data)) for data in files]
    graph = model.subgraphs[0]
    entry = graph.operators[0].inputs[0]
    outputs = list(graph.outputs)
    for other in others:
        tensors, buffers, codes = len(graph.tensors), len(model.buffers), len(model.operatorCodes)
        added = other.subgraphs[0]
        own_entry = added.operators[0].inputs[0]
        for tensor in added.tensors:
            tensor.buffer += buffers
        for operator in added.operators:
            operator.opcodeIndex += codes
            operator.inputs = [entry if at == own_entry else at + tensors if at >= 0 else at for at in operator.inputs]
            operator.outputs = [at + tensors for at in operator.outputs]
        graph.tensors += added.tensors
        graph.operators += added.operators
        model.buffers += other.buffers
        model.operatorCodes += other.operatorCodes
        outputs += [at + tensors for at in added.outputs]
    units = [_unit(model, output) for output in outputs]
    width = sum(int(graph.tensors[output].shape[-1]) for output in outputs)
    joined = _add_tensor(model, "vector", [1, width])
    concatenation = schema.ConcatenationOptionsT()
    concatenation.axis = 1
    _add_operator(model, schema.BuiltinOperator.CONCATENATION, units, joined, concatenation)
    graph.inputs, graph.outputs = [entry], [joined]
    model.signatureDefs = None
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def _unit(model, vector: int) -> int:
    """The tensor of a vector, made as long as 1."""
    tensor = _add_tensor(model, "unit", list(model.subgraphs[0].tensors[vector].shape))
    _add_operator(model, schema.BuiltinOperator.L2_NORMALIZATION, [vector], tensor, schema.L2NormOptionsT())
    return tensor


def run_tflite(data: bytes, pictures, threads: int = 2) -> np.ndarray:
    """What the file gives for uint8 pictures; several outputs are put side by side, the widest first."""
    parts = np.array_split(np.arange(len(pictures)), min(threads, len(pictures)))
    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(lambda part: _run_one_by_one(data, [pictures[at] for at in part]), parts)))


def _run_one_by_one(data: bytes, pictures: list[np.ndarray]) -> np.ndarray:
    interpreter = tf.lite.Interpreter(model_content=data, num_threads=1)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]["index"]
    exits = sorted(interpreter.get_output_details(), key=lambda detail: -detail["shape"][-1])
    vectors = []
    for picture in pictures:
        interpreter.set_tensor(entry, picture[None])
        interpreter.invoke()
        vectors.append(np.concatenate([interpreter.get_tensor(detail["index"])[0] for detail in exits]))
    return np.stack(vectors)


def known_picture(height: int, width: int) -> np.ndarray:
    """The pattern without a meaning by which the device tests a runtime (`native.ts`)."""
    return (np.arange(height * width * 3) * 37 % 251).astype(np.uint8).reshape(height, width, 3)


def write_model(folder: Path, name: str, data: bytes, manifest: dict) -> None:
    """The file and its manifest; the manifest last, as it holds the digest that the device checks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.tflite").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    file = {"file": f"{name}.tflite", "sha256": digest, "bytes": len(data)}
    sides = manifest["input"]
    vector = run_tflite(data, [known_picture(sides["height"], sides["width"])])[0]
    unit = vector / np.linalg.norm(vector)
    known = {"selfTest": [round(float(value), 5) for value in unit[:SELF_TEST_NUMBERS]]}
    head = {"name": name, "version": manifest["version"], **file}
    (folder / f"{name}.json").write_text(json.dumps({**head, **manifest, **known}, indent=2) + "\n")


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


def _add_tensor(model, name: str, shape, values: np.ndarray | None = None, like=None) -> int:
    """A tensor of floats, of the type of its values, or of the type and scale of another one; answers its number."""
    tensor = schema.TensorT()
    tensor.name = name.encode()
    tensor.shape = [int(side) for side in shape]
    tensor.type = schema.TensorType.FLOAT32
    if like is not None:
        tensor.type, tensor.quantization = like.type, like.quantization
    tensor.buffer = len(model.buffers)
    buffer = schema.BufferT()
    if values is not None:
        tensor.type = TENSOR_TYPES[values.dtype.name]
        buffer.data = np.frombuffer(values.tobytes(), np.uint8)
    model.buffers.append(buffer)
    model.subgraphs[0].tensors.append(tensor)
    return len(model.subgraphs[0].tensors) - 1


def _add_operator(model, builtin: int, inputs: list[int], output: int, options=None) -> None:
    code = schema.OperatorCodeT()
    code.builtinCode = builtin
    code.deprecatedBuiltinCode = builtin
    code.version = OPERATOR_VERSION
    model.operatorCodes.append(code)
    operator = schema.OperatorT()
    operator.opcodeIndex = len(model.operatorCodes) - 1
    operator.inputs = [int(index) for index in inputs]
    operator.outputs = [output]
    if options is not None:
        operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
        operator.builtinOptions = options
    model.subgraphs[0].operators.append(operator)
