/*
 * Tests of stable_name: names lose addresses and counters of the run, and keep what a compiler
 * chose.
 */
#include "run_suite.h"

#include "report/stable_name.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const char *stable;
} changed[] = {
        /* hidden classes, as the JVM, Java, JVM TI and the JVM's dumps write them */
        {"App$$Lambda/0x00007f12ab000400.run", "App$$Lambda.run"},
        {"App$$Lambda$14/0x0000000800c03000.run", "App$$Lambda.run"},
        {"App$$Lambda/0x00007F4", "App$$Lambda"},
        {"App$$Lambda+0x00007f4000c03000", "App$$Lambda"},
        {"App$$Lambda$14+0x0000000800c03000[]", "App$$Lambda[]"},
        {"App$$Lambda.0x00007f4.run", "App$$Lambda.run"},
        {"App$$Lambda$14.run", "App$$Lambda.run"},
        {"App$$Lambda$14", "App$$Lambda"},
        {"App$$Lambda$1/1418481495.run", "App$$Lambda.run"},
        {"LApp$$Lambda$14.0x0000000800c03000; (Java)", "LApp$$Lambda; (Java)"},
        {"    MONITOR LApp$$Lambda.0x0000000800c03000; unowned",
         "    MONITOR LApp$$Lambda; unowned"},
        {"java.lang.invoke.LambdaForm$MH/0x12.invoke", "java.lang.invoke.LambdaForm$MH.invoke"},
        {"java.lang.invoke.LambdaForm$DMH/0x00007f2c01000400.invokeStatic",
         "java.lang.invoke.LambdaForm$DMH.invokeStatic"},
        {"java.lang.invoke.LambdaForm$MH/1239731077.linkToTargetMethod",
         "java.lang.invoke.LambdaForm$MH.linkToTargetMethod"},
        {"java.lang.String$$StringConcat/0x0a.concat", "java.lang.String$$StringConcat.concat"},
        {"Foo/0x0000000801000400.run", "Foo.run"},
        {"a.b.Foo/0x0000000801000400", "a.b.Foo"},
        {"a.b.Foo/0x0000000801000400$$Lambda/0x0000000801000800.run", "a.b.Foo$$Lambda.run"},
        /* proxies and reflection */
        {"$Proxy12.run", "$Proxy.run"},
        {"$Proxy12", "$Proxy"},
        {"L$Proxy12; (Java)", "L$Proxy; (Java)"},
        {"jdk.proxy2.$Proxy12.run", "jdk.proxy.$Proxy.run"},
        {"Ljdk/proxy2/$Proxy12;", "Ljdk/proxy/$Proxy;"},
        {"com.sun.proxy.$Proxy0[]", "com.sun.proxy.$Proxy[]"},
        {"com.sun.proxy.jdk.proxy1.$Proxy0", "com.sun.proxy.jdk.proxy.$Proxy"},
        {"jdk.MHProxy3.Runnable.run", "jdk.MHProxy.Runnable.run"},
        {"jdk.internal.reflect.GeneratedMethodAccessor17.invoke",
         "jdk.internal.reflect.GeneratedMethodAccessor.invoke"},
        {"sun.reflect.GeneratedConstructorAccessor3", "sun.reflect.GeneratedConstructorAccessor"},
        {"jdk.internal.reflect.GeneratedSerializationConstructorAccessor4.newInstance",
         "jdk.internal.reflect.GeneratedSerializationConstructorAccessor.newInstance"},
        /* CGLIB */
        {"a.Foo$$FastClassByCGLIB$$abcd1234.invoke", "a.Foo$$FastClassByCGLIB.invoke"},
        {"a.Foo$$EnhancerByCGLIB$$67ed4f3e_2$$FastClassByCGLIB$$5b3c4d2a",
         "a.Foo$$EnhancerByCGLIB$$FastClassByCGLIB"},
        {"a.Foo$$EnhancerBySpringCGLIB$$1a.run", "a.Foo$$EnhancerBySpringCGLIB.run"},
        {"a.Foo$$SpringCGLIB$$0.CGLIB$run$3", "a.Foo$$SpringCGLIB.CGLIB$run"},
        {"a.Foo$$SpringCGLIB$$FastClass$$1.invoke", "a.Foo$$SpringCGLIB$$FastClass.invoke"},
        {"a.Foo$$EnhancerByGuice$$12345678.run", "a.Foo$$EnhancerByGuice.run"},
        {"a.Foo$$SpringCGLIB$$0.CGLIB$STATICHOOK12", "a.Foo$$SpringCGLIB.CGLIB$STATICHOOK"},
        /* Byte Buddy, Javassist, EJB, Groovy */
        {"a.Foo$ByteBuddy$aB3dE6gH.run", "a.Foo$ByteBuddy.run"},
        {"a.Foo$ByteBuddy$aB3dE6gH$auxiliary$abcdefgh.call", "a.Foo$ByteBuddy$auxiliary.call"},
        {"a.Foo$MockitoMock$1234567890.run", "a.Foo$MockitoMock.run"},
        {"a.Foo$HibernateProxy$XyzXyz12", "a.Foo$HibernateProxy"},
        {"a.Foo.run$original$aB3dE6gH", "a.Foo.run$original"},
        {"a.Foo_$$_jvst4a3_1f.run", "a.Foo_$$_jvst.run"},
        {"a.Foo_$$_javassist_12", "a.Foo_$$_javassist_"},
        {"a.Foo$$$view12.run", "a.Foo$$$view.run"},
        {"script17012345678901234.run", "script.run"},
        {"script17012345678901234$_run_closure1.doCall", "script$_run_closure1.doCall"},
};

static const char *const kept[] = {
        "",
        "$14",
        "/0x",
        "App.main",
        "App$1.run",
        "App$12$3.run",
        "App.lambda$main$14",
        "App$$anonfun$3.apply",
        "App.$anonfun$main$1",
        "App$main$1.invoke",
        "App$_run_closure1.doCall",
        "App$$Lambda$1x.run",
        "App$$Lambda.run",
        "App$$Lambda$Inner.run",
        "Outer$Proxy12.run",
        "Outer$L$Proxy12; x",
        "My$Proxy1",
        "a.XGeneratedMethodAccessor17",
        "GeneratedMethodAccessor17a",
        "GeneratedMethodAccessor17_",
        "GeneratedMethodAccessor17\xc3\xa9",
        "a.jdk.proxies2.A",
        "a.Foo$$EnhancerByCGLIB$$Factory",
        "a.Foo.CGLIB$run",
        "a.CGLIB$1",
        "a.Foo$ByteBuddy$Advice.run",
        "a.Foo$ByteBuddy$aB3dE6gHi.run",
        "a.Foo_$$_jvst4a3.run",
        "script12.run",
        "manuscript17012345678901234.run",
        "java.lang.invoke.BoundMethodHandle$Species_LLL",
        "java.lang.invoke.DirectMethodHandle$Holder.invokeStatic",
        "La/1; (Java)",
        "user$fn__123.invoke",
        "a.b0x1.c",
        "<no_stack>.not_walkable",
        "[below the cutoff]",
        "int[]",
};

static void check_name(const char *name, const char *expected)
{
	/* No byte past the end is read: the copy has no zero byte. */
	size_t length = strlen(name);
	char *copy = malloc(length == 0 ? 1 : length);
	char stable[128] = "";
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, name, length);
	size_t used = stable_name(copy, length, stable);
	ck_assert_uint_le(used, length);
	stable[used] = '\0';
	ck_assert_str_eq(stable, expected);
	ck_assert(used == length || stable_name_may_differ(copy, length));
	/* What is stable stays as it is. */
	char again[128] = "";
	ck_assert_uint_eq(stable_name(stable, used, again), used);
	free(copy);
}

START_TEST(addresses_and_counters_of_the_run_are_left_out)
{
	check_name(changed[_i].name, changed[_i].stable);
}
END_TEST

START_TEST(names_that_a_compiler_chose_are_kept)
{
	check_name(kept[_i], kept[_i]);
}
END_TEST

static Suite *stable_name_suite(void)
{
	Suite *suite = suite_create("stable_name");
	TCase *tests = tcase_create("stable_name");
	tcase_add_loop_test(tests, addresses_and_counters_of_the_run_are_left_out, 0,
	                    sizeof(changed) / sizeof(changed[0]));
	tcase_add_loop_test(tests, names_that_a_compiler_chose_are_kept, 0,
	                    sizeof(kept) / sizeof(kept[0]));
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(stable_name_suite());
}
