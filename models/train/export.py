"""From a trained net and its last layer to the file that the device loads, and back to vectors for checking it."""

import hashlib
import json
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras

CALIBRATION_PICTURES = 400


def embedding_model(features: keras.Model, kernel: np.ndarray, bias: np.ndarray) -> keras.Model:
    """The net with the linear layer behind it, for exactly one picture a run."""
    size = features.input.shape[1]
    pixels = keras.Input(batch_shape=(1, size, size, 3), name="pixels")
    layer = keras.layers.Dense(kernel.shape[1], name="embedding")
    model = keras.Model(pixels, layer(features(pixels)), name="embedding")
    layer.set_weights([kernel.astype(np.float32), bias.astype(np.float32)])
    return model


def to_tflite(model: keras.Model, calibration: np.ndarray) -> bytes:
    """Full-integer kernels, uint8 pixels in, float32 vector out (the runtime's JavaScript face has no int8)."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([(picture[None].astype(np.float32) - 127.5) / 127.5] for picture in calibration)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = tf.uint8
    converter.inference_output_type = tf.float32
    return converter.convert()


def run_tflite(data: bytes, pictures, threads: int = 2) -> np.ndarray:
    """The vectors that the file gives for uint8 pictures."""
    interpreter = tf.lite.Interpreter(model_content=data, num_threads=threads)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]["index"]
    exit_ = interpreter.get_output_details()[0]["index"]
    vectors = []
    for picture in pictures:
        interpreter.set_tensor(entry, picture[None])
        interpreter.invoke()
        vectors.append(interpreter.get_tensor(exit_)[0].copy())
    return np.stack(vectors)


def write_model(folder: Path, name: str, data: bytes, manifest: dict) -> None:
    """The file and its manifest; the manifest last, as it holds the digest that the device checks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.tflite").write_bytes(data)
    whole = {
        "name": name,
        "version": manifest["version"],
        "file": f"{name}.tflite",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        **{key: value for key, value in manifest.items() if key != "version"},
    }
    (folder / f"{name}.json").write_text(json.dumps(whole, indent=2) + "\n")
