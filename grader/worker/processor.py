"""Says how long a thread has waited for a processor that others had; limits nothing."""

import os

PATIENCE = 6  # times its seconds, a call may take where others have the processors


def seconds_waited(task: int) -> float:
    """Of the thread, or the main thread of the process, of this number; 0 where nobody counts."""
    try:
        file = os.open(f"/proc/{task}/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
    finally:
        os.close(file)
