# SPDX-License-Identifier: MIT
"""The search that the enumerators share."""


def reachable(start, successors, limit=None):
    """Each state that can be reached, once, with its successors. MemoryError: there are more than `limit` of them."""
    stack, seen = [start], set()
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        if limit is not None and len(seen) > limit:
            raise MemoryError("too many states")
        following = list(successors(state))
        stack.extend(following)
        yield state, following
