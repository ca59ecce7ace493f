/*
 * cpu_timer_list.c: see cpu_timer_list.h.
 */
#include "cpu_timer_list.h"

#include <pthread.h>
#include <utlist.h>

/* All of it under the lock. */
static struct {
	pthread_mutex_t lock;
	struct os_cpu_timer *first;
	struct os_cpu_timer *cursor; /* the timer that is visited next; NULL: the first */
	bool open;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void take_out(struct os_cpu_timer *timer)
{
	if (list.cursor == timer)
		list.cursor = timer->entry.next;
	DL_DELETE2(list.first, timer, entry.prev, entry.next);
	timer->entry.running = false;
	timer->entry.armed = false;
}

bool cpu_timer_list_add(struct os_cpu_timer *timer)
{
	(void)pthread_mutex_lock(&list.lock);
	bool open = list.open;
	if (open) {
		DL_APPEND2(list.first, timer, entry.prev, entry.next);
		timer->entry.running = true;
	}
	(void)pthread_mutex_unlock(&list.lock);
	return open;
}

bool cpu_timer_list_armed(struct os_cpu_timer *timer)
{
	(void)pthread_mutex_lock(&list.lock);
	bool open = list.open;
	if (open)
		timer->entry.armed = true;
	else
		take_out(timer);
	(void)pthread_mutex_unlock(&list.lock);
	return open;
}

bool cpu_timer_list_remove(struct os_cpu_timer *timer)
{
	(void)pthread_mutex_lock(&list.lock);
	bool running = timer->entry.running;
	if (running)
		take_out(timer);
	(void)pthread_mutex_unlock(&list.lock);
	return running;
}

bool cpu_timer_list_has(const struct os_cpu_timer *timer)
{
	(void)pthread_mutex_lock(&list.lock);
	bool has = list.open && timer->entry.running && !timer->entry.lost;
	(void)pthread_mutex_unlock(&list.lock);
	return has;
}

bool cpu_timer_list_is_empty(void)
{
	(void)pthread_mutex_lock(&list.lock);
	bool empty = list.first == NULL;
	(void)pthread_mutex_unlock(&list.lock);
	return empty;
}

bool cpu_timer_list_is_open(void)
{
	(void)pthread_mutex_lock(&list.lock);
	bool open = list.open;
	(void)pthread_mutex_unlock(&list.lock);
	return open;
}

static void set_open(bool open)
{
	(void)pthread_mutex_lock(&list.lock);
	list.open = open;
	(void)pthread_mutex_unlock(&list.lock);
}

void cpu_timer_list_open(void)
{
	set_open(true);
}

void cpu_timer_list_close(void)
{
	set_open(false);
}

void cpu_timer_list_each(cpu_timer_visit *visit, void *argument)
{
	struct os_cpu_timer *timer;

	(void)pthread_mutex_lock(&list.lock);
	DL_FOREACH2(list.first, timer, entry.next)
	{
		if (timer->entry.armed)
			visit(argument, timer);
	}
	(void)pthread_mutex_unlock(&list.lock);
}

/* One round at most, however many are asked for. */
void cpu_timer_list_some(unsigned most, cpu_timer_visit *visit, void *argument)
{
	(void)pthread_mutex_lock(&list.lock);
	struct os_cpu_timer *timer = list.cursor != NULL ? list.cursor : list.first;
	const struct os_cpu_timer *begin = timer;
	for (unsigned i = 0; i < most && timer != NULL; i++) {
		if (timer->entry.armed)
			visit(argument, timer);
		timer = timer->entry.next != NULL ? timer->entry.next : list.first;
		if (timer == begin)
			break;
	}
	list.cursor = timer;
	(void)pthread_mutex_unlock(&list.lock);
}

void cpu_timer_list_take_all(cpu_timer_visit *visit, void *argument)
{
	struct os_cpu_timer *timer;
	struct os_cpu_timer *next;

	(void)pthread_mutex_lock(&list.lock);
	DL_FOREACH_SAFE2(list.first, timer, next, entry.next)
	{
		if (!timer->entry.armed)
			continue;
		take_out(timer);
		visit(argument, timer);
	}
	(void)pthread_mutex_unlock(&list.lock);
}
