/*
 * wait_calls.c: see wait_calls.h. Methods of JDK 11 to 25; those that a JDK does not have, or has
 * in Java, do no harm. Any thread.
 */
#include "vm/wait_calls.h"

static const struct {
	enum wait_cause cause;
	const char *class_name;
	const char *name;
} wait_calls[] = {
        {WAIT_PARK, "jdk/internal/misc/Unsafe", "park"},
        {WAIT_VM, "java/lang/Runtime", "gc"},

        /* Thread.sleep() is native up to JDK 18. */
        {WAIT_SLEEP, "java/lang/Thread", "sleep"},
        {WAIT_SLEEP, "java/lang/Thread", "sleep0"},
        {WAIT_SLEEP, "java/lang/Thread", "sleepNanos0"},
        {WAIT_SLEEP, "java/lang/ref/Reference", "waitForReferencePendingList"},
        {WAIT_SLEEP, "java/lang/ProcessHandleImpl", "waitForProcessExit0"},
        {WAIT_SLEEP, "sun/nio/ch/EPoll", "wait"},
        {WAIT_SLEEP, "sun/nio/ch/KQueue", "poll"},
        {WAIT_SLEEP, "sun/nio/ch/PollSelectorImpl", "poll"},
        {WAIT_SLEEP, "sun/nio/ch/WEPoll", "wait"},
        {WAIT_SLEEP, "sun/nio/ch/WindowsSelectorImpl$SubSelector", "poll0"},
        {WAIT_SLEEP, "sun/nio/ch/Iocp", "getQueuedCompletionStatus"},
        {WAIT_SLEEP, "sun/nio/fs/LinuxWatchService", "poll"},

        {WAIT_IO, "java/io/FileInputStream", "open0"},
        {WAIT_IO, "java/io/FileInputStream", "read0"},
        {WAIT_IO, "java/io/FileInputStream", "readBytes"},
        {WAIT_IO, "java/io/FileOutputStream", "open0"},
        {WAIT_IO, "java/io/FileOutputStream", "write"},
        {WAIT_IO, "java/io/FileOutputStream", "writeBytes"},
        {WAIT_IO, "java/io/FileDescriptor", "sync"}, /* native in JDK 11 and 17 */
        {WAIT_IO, "java/io/FileDescriptor", "sync0"},
        {WAIT_IO, "java/io/RandomAccessFile", "open0"},
        {WAIT_IO, "java/io/RandomAccessFile", "read0"},
        {WAIT_IO, "java/io/RandomAccessFile", "readBytes"},
        {WAIT_IO, "java/io/RandomAccessFile", "readBytes0"},
        {WAIT_IO, "java/io/RandomAccessFile", "write0"},
        {WAIT_IO, "java/io/RandomAccessFile", "writeBytes"},
        {WAIT_IO, "java/io/RandomAccessFile", "writeBytes0"},

        /* Up to JDK 17. */
        {WAIT_IO, "java/net/SocketInputStream", "socketRead0"},
        {WAIT_IO, "java/net/SocketOutputStream", "socketWrite0"},
        {WAIT_IO, "java/net/PlainSocketImpl", "socketAccept"},
        {WAIT_IO, "java/net/PlainSocketImpl", "socketConnect"},
        {WAIT_IO, "java/net/PlainDatagramSocketImpl", "receive0"},
        {WAIT_IO, "java/net/PlainDatagramSocketImpl", "send"},

        {WAIT_IO, "java/net/Inet4AddressImpl", "lookupAllHostAddr"},
        {WAIT_IO, "java/net/Inet6AddressImpl", "lookupAllHostAddr"},
        {WAIT_IO, "java/net/Inet4AddressImpl", "getHostByAddr"},
        {WAIT_IO, "java/net/Inet6AddressImpl", "getHostByAddr"},
        {WAIT_IO, "sun/nio/ch/Net", "poll"},
        {WAIT_IO, "sun/nio/ch/Net", "pollConnect"},
        {WAIT_IO, "sun/nio/ch/Net", "connect0"},
        {WAIT_IO, "sun/nio/ch/Net", "accept"},
        {WAIT_IO, "sun/nio/ch/ServerSocketChannelImpl", "accept0"},
        {WAIT_IO, "sun/nio/ch/FileChannelImpl", "transferTo0"},
        {WAIT_IO, "sun/nio/ch/FileChannelImpl", "transferFrom0"},
        {WAIT_IO, "sun/nio/fs/UnixNativeDispatcher", "open0"},
        {WAIT_IO, "java/nio/MappedByteBuffer", "force0"},
        {WAIT_IO, "java/nio/MappedMemoryUtils", "force0"},
        {WAIT_IO, "sun/nio/ch/UnixDomainSockets", "accept0"},
        {WAIT_IO, "sun/nio/ch/Poller", "poll"}, /* of virtual threads; parks in Java */
        {WAIT_IO, "sun/nio/ch/UnixDomainSockets", "connect0"},
        {WAIT_IO, "sun/nio/ch/DatagramChannelImpl", "receive0"},
        {WAIT_IO, "sun/nio/ch/DatagramChannelImpl", "send0"},
};

/* The classes of channels to files, sockets and pipes: these natives of all of them. */
static const char *const dispatchers[] = {
        "sun/nio/ch/SocketDispatcher",       "sun/nio/ch/UnixDispatcher",
        "sun/nio/ch/UnixFileDispatcherImpl", "sun/nio/ch/FileDispatcherImpl",
        "sun/nio/ch/DatagramDispatcher",     "sun/nio/ch/UnixDatagramDispatcher",
        "sun/nio/ch/DatagramDispatcherImpl", "sun/nio/ch/WindowsFileDispatcherImpl",
};
static const char *const dispatched[] = {"read0",       "readv0",       "pread0", "write0",
                                         "writev0",     "pwrite0",      "force0", "lock0",
                                         "transferTo0", "transferFrom0"};

static bool is_one_of(struct classfile_name name, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (classfile_name_is(name, texts[i]))
			return true;
	}
	return false;
}

enum wait_cause wait_calls_find(const struct classfile_member *called)
{
	for (size_t i = 0; i < sizeof(wait_calls) / sizeof(wait_calls[0]); i++) {
		if (classfile_name_is(called->name, wait_calls[i].name) &&
		    classfile_name_is(called->class_name, wait_calls[i].class_name))
			return wait_calls[i].cause;
	}
	if (is_one_of(called->name, dispatched, sizeof(dispatched) / sizeof(dispatched[0])) &&
	    is_one_of(called->class_name, dispatchers,
	              sizeof(dispatchers) / sizeof(dispatchers[0])))
		return WAIT_IO;
	return WAIT_NONE;
}
