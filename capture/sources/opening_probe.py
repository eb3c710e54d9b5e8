"""Opens a recording and nothing else, in a process that may hang or die of it.

python -m capture.sources.opening_probe FILE
"""

from __future__ import annotations

import sys

from capture.sdk import load_sdk


def main() -> int:
    """0 where the SDK opens the file; 1 where it refuses it."""
    sdk = load_sdk()
    config = sdk.config()
    try:
        config.enable_device_from_file(sys.argv[1], repeat_playback=False)
        config.resolve(sdk.pipeline_wrapper(sdk.pipeline()))
    except RuntimeError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
