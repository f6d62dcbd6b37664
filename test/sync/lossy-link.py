"""A wire with delay, jitter and loss: python3 lossy-link.py ONE OTHER DELAY_MS JITTER_MS LOSS_PERCENT

Makes two tap devices and carries every packet from one to the other, for kernels without netem.
"""
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
TAP_WITHOUT_HEADER = 0x0002 | 0x1000
PACKET_BYTES = 2048


def tap(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), TAP_WITHOUT_HEADER))
    return device


one, other = tap(sys.argv[1]), tap(sys.argv[2])
delay, jitter, loss = (float(value) for value in sys.argv[3:6])
random.seed(1)
waiting = []
count = 0
print("ready", flush=True)
while True:
    limit = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for end in select.select([one, other], [], [], limit)[0]:
        try:
            while True:
                packet = os.read(end, PACKET_BYTES)
                if random.random() * 100 < loss:
                    continue
                count += 1
                due = time.monotonic() + (delay + random.uniform(-jitter, jitter)) / 1000
                heapq.heappush(waiting, (due, count, other if end == one else one, packet))
        except BlockingIOError:
            pass
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, end, packet = heapq.heappop(waiting)
        try:
            os.write(end, packet)
        except OSError:
            pass  # the interface is down: what is sent then is lost
