/*
 * math.h: mathematics, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_MATH_H
#define TESTS_SOLARIS_MATH_H

double ceil(double);
double exp(double);
double expm1(double);
double fabs(double);
double floor(double);
double log(double);
double log1p(double);
double log2(double);
double pow(double, double);
double sqrt(double);
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#endif
