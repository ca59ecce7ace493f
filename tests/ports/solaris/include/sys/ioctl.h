/*
 * sys/ioctl.h: control of devices, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_IOCTL_H
#define TESTS_SOLARIS_SYS_IOCTL_H

int ioctl(int, int, ...);

#endif
