// SPDX-License-Identifier: MIT
//
// A plugin that needs what nobody has.
int nobody_has_this(void);
int plugin_count(int add) { return nobody_has_this() + add; }
