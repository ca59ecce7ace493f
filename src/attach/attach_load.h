/*
 * attach_load.h: makes a JVM load the agent, and says why it did not. One thread.
 */
#ifndef HPROF_ATTACH_ATTACH_LOAD_H
#define HPROF_ATTACH_ATTACH_LOAD_H

#include "attach/attach_answer.h"
#include "attach/jvm.h"
#include "attach/jvm_load.h"

/* Ends the name of the file of messages= at the exchange path. */
#define ATTACH_MESSAGES_SUFFIX ".log"

/* The JVM's verdict goes to *verdict. False, after printing an error, when the JVM was not reached
 * or could not load the library. If the agent refused, nothing is printed. */
bool attach_load(uint64_t pid, const char *library, const char *options,
                 enum attach_interrupts interrupts, enum attach_verdict *verdict);

/* Prints the lines that the agent wrote to the file of messages=, after prefix. Returns their
 * number. */
int attach_print_messages(const struct jvm *jvm, const char *prefix);

/* Prints why the agent refused, from that file, or where the reason is. Returns the exit code. */
int attach_print_refusal(uint64_t pid, const struct jvm *jvm);

#endif
