/*
 * jni_md.h: the part of JNI that differs from machine to machine, for 64-bit
 * Windows; jni.h includes it. Written for this project, so that the headers of a JDK for
 * another system can be used for the rest.
 */
#ifndef HPROF_JNI_MD_H
#define HPROF_JNI_MD_H

#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall

typedef int jint;
typedef long long jlong;
typedef signed char jbyte;

#endif
