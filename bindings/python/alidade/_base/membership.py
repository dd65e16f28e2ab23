"""The lock under which maps and groups take layers in and let them go."""

from __future__ import annotations

import os
import threading

# Keeps what Python knows of them in step with the library. A fork waits for it, so that a child finds it free.
membership = threading.Lock()
os.register_at_fork(before=membership.acquire, after_in_parent=membership.release, after_in_child=membership.release)
