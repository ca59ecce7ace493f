/* looked_fixture.c: see looked_fixture.h. */
#include "looked_fixture.h"

struct vm_pauses pauses;
struct fake_object objects[LOOKED_MAX];
struct java_thread java_threads[LOOKED_MAX];
struct system_thread system_threads[LOOKED_MAX];
uint64_t now_ns;
uint64_t self_ns;
unsigned open_queues;
void (*clock_is_read)(int number);

/* ---- fakes ------------------------------------------------------------- */

int number_of(os_thread id)
{
	QUICK_CHECK(id >= ID_FIRST && id < ID_FIRST + LOOKED_MAX, "a thread that is not known");
	return (int)(id - ID_FIRST);
}

uint64_t os_monotonic_ns(void)
{
	return now_ns;
}

uint64_t os_self_cpu_ns(void)
{
	return self_ns;
}

int os_thread_cpu_ns(os_thread id, uint64_t *cpu_ns)
{
	int number = number_of(id);

	if (system_threads[number].is_gone)
		return ESRCH;
	*cpu_ns = system_threads[number].cpu_ns;
	system_threads[number].cpu_readings++;
	if (clock_is_read != NULL)
		clock_is_read(number);
	return 0;
}

int os_run_queue_open(struct os_run_queue *queue, os_thread id)
{
	int number = number_of(id);

	if (system_threads[number].queue_error != 0)
		return system_threads[number].queue_error;
	QUICK_CHECK(system_threads[number].queue == NULL, "a queue that is open");
	system_threads[number].queue = queue;
	open_queues++;
	return 0;
}

static int number_of_queue(const struct os_run_queue *queue)
{
	for (int i = 0; i < LOOKED_MAX; i++) {
		if (system_threads[i].queue == queue)
			return i;
	}
	ck_abort_msg("a queue that is not open");
	return -1;
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	int number = number_of_queue(queue);

	system_threads[number].queue_readings++;
	if (system_threads[number].queue_lost)
		return false;
	*ns = system_threads[number].queued_ns;
	return true;
}

void os_run_queue_close(struct os_run_queue *queue)
{
	system_threads[number_of_queue(queue)].queue = NULL;
	open_queues--;
}

/* ---- threads ----------------------------------------------------------- */

struct look_clocks clocks_of(int number)
{
	return (struct look_clocks){.wall_ns = now_ns, .cpu_ns = system_threads[number].cpu_ns};
}

void looked_set_up(void)
{
	profile_set_up();
	memset(system_threads, 0, sizeof(system_threads));
	memset(objects, 0, sizeof(objects));
	memset(&pauses, 0, sizeof(pauses));
	now_ns = 12345 * MS;
	self_ns = 678 * MS;
	open_queues = 0;
	for (uint32_t i = 0; i < LOOKED_MAX; i++) {
		java_threads[i] =
		        (struct java_thread){.serial = SERIAL_FIRST + i, .id = ID_FIRST + i};
		system_threads[i].cpu_ns = (1000 + i) * MS;
		system_threads[i].queued_ns = (10 + i) * MS;
	}
	ck_assert_int_eq(os_mutex_init(&profile.dump_lock), 0);
}

void looked_tear_down(void)
{
	ck_assert_uint_eq(open_queues, 0);
	ck_assert_int_eq(fake_counts.global_refs, 0);
	ck_assert_int_eq(fake_counts.local_frames, 0);
	os_mutex_destroy(&profile.dump_lock);
	profile_tear_down();
}

void add_thread(struct looked_threads *to, int number)
{
	looked_threads_add(to, fake_jni(), (jthread)(void *)&objects[number],
	                   &java_threads[number]);
}

struct looked_thread *thread_of(const struct looked_threads *in, int number)
{
	struct looked_thread *thread = looked_threads_find(in, java_threads[number].serial);
	ck_assert_ptr_nonnull(thread);
	return thread;
}

void pass(int number, uint64_t wall_ns, uint64_t cpu_ns)
{
	now_ns += wall_ns;
	system_threads[number].cpu_ns += cpu_ns;
}

void end_thread(struct looked_threads *in, int number)
{
	uint64_t own_ns = self_ns;

	self_ns = system_threads[number].cpu_ns;
	looked_threads_end(in, &java_threads[number]);
	self_ns = own_ns;
	system_threads[number].is_gone = true;
}
