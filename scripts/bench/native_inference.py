"""The same model in LiteRT's native runtime (XNNPACK, one thread): for each line that comes, one inference; answers its milliseconds."""

import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter

interpreter = Interpreter(model_path=sys.argv[1], num_threads=1)
interpreter.allocate_tensors()
(given,) = interpreter.get_input_details()
(made,) = interpreter.get_output_details()
size = int(np.prod(given["shape"]))
pixels = (np.arange(size, dtype=np.int64) * 37 % 251).reshape(given["shape"]).astype(given["dtype"])
for _ in sys.stdin:
    began = time.perf_counter()
    interpreter.set_tensor(given["index"], pixels)
    interpreter.invoke()
    interpreter.get_tensor(made["index"])
    print((time.perf_counter() - began) * 1000, flush=True)
