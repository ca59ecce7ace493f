/*
 * ucred.h: the Solaris declarations.
 */
#include "../../include/ucred.h"
