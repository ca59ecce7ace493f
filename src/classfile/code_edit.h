/*
 * A method being edited: its code, what is inserted and where, and why the edit
 * failed if it did. Shared by the rewriter's own files; users see rewrite.h.
 * Used from the rewriting thread only; no locks.
 */
#ifndef HPROF_CLASSFILE_CODE_EDIT_H
#define HPROF_CLASSFILE_CODE_EDIT_H

#include "classfile/method_code.h"
#include "classfile/pool_builder.h"
#include "classfile/rewrite.h"

/* Bytes in the edit's snippets. */
struct snippet {
	uint32_t begin;
	uint32_t length;
};

/* A snippet at an instruction. place is twice its index, plus one for after it. */
struct insertion {
	uint32_t place;
	struct snippet snippet;
};

struct code_emitter {
	struct method_edit *edit;
	int32_t depth;   /* of the stack, from where the insertion began */
	int32_t highest; /* that depth has been */
	int32_t begun_at;
};

/* Which insertion the emitter's bytes belong to. */
enum open_insertion { OPEN_NONE, OPEN_ENTRY, OPEN_HANDLER, OPEN_PLACE };

/* The state of this at an instruction of a constructor. */
enum this_state {
	THIS_READY,    /* initialised, or not distinguishable from it */
	THIS_UNREADY,  /* uninitialised: before super() or this() */
	THIS_BECOMES,  /* the call of super() or this() itself */
	THIS_UNREACHED /* dead code of a constructor */
};

struct method_edit {
	struct method_code code;
	struct pool_builder *pool;
	const struct rewrite_plan *plan;
	uint32_t left_out; /* of the plan's optional parts */
	struct code_buffer snippets;
	struct insertion *insertions; /* by place, in the order of their beginning */
	uint32_t insertion_count;
	size_t insertion_capacity;
	struct snippet entry;
	struct snippet handler;
	bool has_entry;
	bool has_handler;
	enum open_insertion open;
	uint32_t open_index;
	struct code_emitter emitter;
	int32_t stack_growth;  /* largest need of code in the body, on top of max_stack */
	int32_t stack_outside; /* largest need of entry and handler */
	const char *local_descriptors[EDIT_LOCALS_MAX];
	uint16_t local_indexes[EDIT_LOCALS_MAX];
	uint32_t local_count;
	uint32_t max_locals; /* with the added ones */
	/* An enum this_state for each instruction; NULL where it is THIS_READY for all. */
	uint8_t *this_states;
	uint8_t *this_states_block;
	size_t this_states_capacity;
	/*
	 * For each instruction that completes an object the index of its new plus 1, or else 0;
	 * NULL where it is 0 for all. Determined when a plan first asks.
	 */
	uint16_t *completed;
	uint16_t *completed_block;
	size_t completed_capacity;
	bool completed_known;
	uint32_t body_end;        /* in the new code: where the handlers begin */
	uint32_t unready_handler; /* in the new code: the handler for THIS_UNREADY; 0 if none */
	uint32_t new_length;
	bool widened_ifs; /* some conditional branch has become two instructions */
	/* The first failure; nothing more is done after it. */
	enum rewrite_skip skip;
	bool no_memory;
};

/* Prepares an edit of no method. */
void code_edit_init(struct method_edit *edit, const struct classfile *classfile,
                    struct pool_builder *pool, const struct rewrite_plan *plan);
void code_edit_free(struct method_edit *edit);

/* Begins with a method: takes its code apart. Sets skip or no_memory on failure. */
void code_edit_begin(struct method_edit *edit, const struct method_record *record);

/* Closes the last insertion, and adds up what the insertions need. */
void code_edit_end(struct method_edit *edit);

/* True while nothing has failed. */
bool code_edit_is_good(const struct method_edit *edit);

/* Notes the first reason for leaving the method alone. Returns false for convenience. */
bool code_edit_fail(struct method_edit *edit, enum rewrite_skip reason);

/* Notes that there is no memory. Returns false for convenience. */
bool code_edit_no_memory(struct method_edit *edit);

/* Notes why the constant pool refused a constant. Returns false for convenience. */
bool code_edit_pool_failed(struct method_edit *edit);

/* True if something is inserted. */
bool code_edit_has_insertions(const struct method_edit *edit);

#endif
