/*
 * model.c: creates and frees all tables.
 */
#include "model/model.h"

#include <string.h>

bool model_init(struct model *model)
{
	memset(model, 0, sizeof(*model));
	object_ids_init(&model->object_ids);

	model->strings = string_table_create();
	if (model->strings != NULL) {
		model->classes = class_table_create(model->strings, &model->object_ids);
		model->threads = thread_table_create(model->strings, &model->object_ids);
	}
	model->methods = method_table_create();
	model->frames = frame_table_create();
	model->traces = trace_table_create();

	if (model->strings == NULL || model->classes == NULL || model->threads == NULL ||
	    model->methods == NULL || model->frames == NULL || model->traces == NULL) {
		model_destroy(model);
		return false;
	}
	return true;
}

void model_destroy(struct model *model)
{
	trace_table_destroy(model->traces);
	frame_table_destroy(model->frames);
	method_table_destroy(model->methods);
	thread_table_destroy(model->threads);
	class_table_destroy(model->classes);
	string_table_destroy(model->strings);
	memset(model, 0, sizeof(*model));
}
