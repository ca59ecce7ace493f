/*
 * page_kinds.c: see page_kinds.h. Known packages are data; what is in none of them is the
 * application, unless the packages of its main class are known: then it is a library.
 */
#include "page/page_kinds.h"

#include <stdint.h>
#include <string.h>

static const char *const jdk_packages[] = {
        "java.",
        "jdk.",
        "sun.",
        "com.sun.",
        "javax.accessibility.",
        "javax.crypto.",
        "javax.imageio.",
        "javax.lang.",
        "javax.management.",
        "javax.naming.",
        "javax.net.",
        "javax.print.",
        "javax.rmi.",
        "javax.script.",
        "javax.security.",
        "javax.smartcardio.",
        "javax.sound.",
        "javax.sql.",
        "javax.swing.",
        "javax.tools.",
        "javax.transaction.xa.",
        "javax.xml.",
        "netscape.javascript.",
        "org.ietf.jgss.",
        "org.w3c.dom.",
        "org.xml.sax.",
};

/* Libraries in packages that begin like those of the JDK. */
static const char *const not_jdk_packages[] = {
        "com.sun.el.",     "com.sun.faces.",    "com.sun.jersey.", "com.sun.jna.",
        "com.sun.mail.",   "com.sun.xml.bind.", "com.sun.xml.ws.", "javax.xml.bind.",
        "javax.xml.soap.", "javax.xml.ws.",
};

/* Packages of organizations: a library, or an application in it, has one name more. */
static const char *const organizations[] = {
        "com.amazonaws.", "com.facebook.", "com.github.",    "com.google.", "com.ibm.",
        "com.microsoft.", "com.oracle.",   "com.twitter.",   "io.github.",  "org.apache.",
        "org.codehaus.",  "org.eclipse.",  "org.glassfish.", "org.jboss.",  "org.jetbrains.",
        "org.openjdk.",   "org.ow2.",
};

static const char *const libraries[] = {
        "akka.",
        "android.",
        "antlr.",
        "ch.qos.",
        "clojure.",
        "com.carrotsearch.",
        "com.codahale.",
        "com.couchbase.",
        "com.datastax.",
        "com.fasterxml.",
        "com.hazelcast.",
        "com.ibm.icu.",
        "com.jayway.",
        "com.lmax.",
        "com.mchange.",
        "com.mongodb.",
        "com.mysql.",
        "com.netflix.",
        "com.rabbitmq.",
        "com.squareup.",
        "com.typesafe.",
        "com.zaxxer.",
        "dev.langchain4j.",
        "feign.",
        "freemarker.",
        "graphql.",
        "groovy.",
        "groovyjarjarantlr4.",
        "io.dropwizard.",
        "io.grpc.",
        "io.helidon.",
        "io.jsonwebtoken.",
        "io.lettuce.",
        "io.micrometer.",
        "io.micronaut.",
        "io.netty.",
        "io.opentelemetry.",
        "io.prometheus.",
        "io.quarkus.",
        "io.r2dbc.",
        "io.reactivex.",
        "io.smallrye.",
        "io.swagger.",
        "io.undertow.",
        "io.vertx.",
        "it.unimi.dsi.",
        "jakarta.",
        "javassist.",
        "javax.",
        "joptsimple.",
        "junit.",
        "kotlin.",
        "kotlinx.",
        "liquibase.",
        "lombok.",
        "net.bytebuddy.",
        "net.jpountz.",
        "net.sf.",
        "net.sourceforge.",
        "okhttp3.",
        "okio.",
        "one.nio.",
        "oracle.",
        "org.agrona.",
        "org.antlr.",
        "org.aopalliance.",
        "org.aspectj.",
        "org.assertj.",
        "org.bouncycastle.",
        "org.checkerframework.",
        "org.dom4j.",
        "org.elasticsearch.",
        "org.flywaydb.",
        "org.h2.",
        "org.hamcrest.",
        "org.hdrhistogram.",
        "org.hibernate.",
        "org.hsqldb.",
        "org.infinispan.",
        "org.jctools.",
        "org.jdom2.",
        "org.joda.",
        "org.jooq.",
        "org.json.",
        "org.jsoup.",
        "org.junit.",
        "org.keycloak.",
        "org.mockito.",
        "org.mozilla.",
        "org.mvel2.",
        "org.neo4j.",
        "org.objectweb.",
        "org.postgresql.",
        "org.quartz.",
        "org.reactivestreams.",
        "org.reflections.",
        "org.roaringbitmap.",
        "org.rocksdb.",
        "org.scala",
        "org.slf4j.",
        "org.springframework.",
        "org.sqlite.",
        "org.testng.",
        "org.thymeleaf.",
        "org.xerial.",
        "org.xnio.",
        "org.yaml.",
        "reactor.",
        "redis.",
        "rx.",
        "sbt.",
        "scala.",
        "springfox.",
        "zio.",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool begins_with(const char *text, size_t length, const char *prefix)
{
	size_t prefix_length = strlen(prefix);
	return length >= prefix_length && memcmp(text, prefix, prefix_length) == 0;
}

static bool is_in(const char *text, size_t length, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (begins_with(text, length, prefixes[i]))
			return true;
	}
	return false;
}

static bool is_of_jdk(const char *text, size_t length)
{
	return is_in(text, length, jdk_packages, COUNT(jdk_packages)) &&
	       !is_in(text, length, not_jdk_packages, COUNT(not_jdk_packages));
}

/* Length of the first names names of a package, with their dots; 0 if it has less. */
static size_t first_names(const char *text, size_t length, unsigned names)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && --names == 0)
			return i + 1;
	}
	return 0;
}

/* Length of the package of a class, with its last dot. */
static size_t package_length(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] != '.')
		length--;
	return length;
}

/* Whether text is a file, not a class. */
static bool is_jar(const char *text, size_t length)
{
	return length >= 4 && memcmp(text + length - 4, ".jar", 4) == 0;
}

static void set_main_class(struct page_application *application, const char *text, size_t length)
{
	application->is_jdk = is_of_jdk(text, length);
	size_t whole = package_length(text, length);
	unsigned names = is_in(text, length, organizations, COUNT(organizations)) ? 3 : 2;
	size_t kept = application->is_jdk ? whole : first_names(text, whole, names);
	if (kept == 0)
		kept = whole;
	if (kept >= sizeof(application->prefix) || is_in(text, length, libraries, COUNT(libraries)))
		return;
	memcpy(application->prefix, text, kept);
	application->prefix[kept] = '\0';
}

void page_application_init(struct page_application *application, const struct string *program,
                           const struct string *outermost)
{
	static const char main_method[] = ".main";
	size_t suffix = strlen(main_method);

	*application = (struct page_application){.is_jdk = false};
	if (program != NULL) {
		const char *text = program->text;
		const char *blank = memchr(text, ' ', program->length);
		size_t length = blank == NULL ? program->length : (size_t)(blank - text);
		/* A class of a module: "jdk.compiler/com.sun.tools.javac.Main". */
		const char *slash = memchr(text, '/', length);
		if (!is_jar(text, length)) {
			size_t module = slash == NULL ? 0 : (size_t)(slash + 1 - text);
			set_main_class(application, text + module, length - module);
			return;
		}
	}
	if (outermost != NULL && outermost->length > suffix &&
	    memcmp(outermost->text + outermost->length - suffix, main_method, suffix) == 0)
		set_main_class(application, outermost->text, outermost->length - suffix);
}

/* "byte[]" and the like. */
static bool is_primitive_array(const char *text, size_t length)
{
	static const char *const names[] = {"boolean[", "byte[", "char[",  "short[",
	                                    "int[",     "long[", "float[", "double["};
	return is_in(text, length, names, COUNT(names));
}

enum page_kind page_kind_of(const struct page_application *application, const struct string *method,
                            bool native)
{
	const char *text = method->text;
	size_t length = method->length;

	if (length == 0 || text[0] == '<' || text[0] == '[')
		return PAGE_NO_CODE;
	if (native)
		return PAGE_NATIVE;
	if (application->prefix[0] != '\0' && begins_with(text, length, application->prefix))
		return PAGE_APPLICATION;
	if (is_of_jdk(text, length) || is_primitive_array(text, length))
		return PAGE_JDK;
	if (is_in(text, length, libraries, COUNT(libraries)) ||
	    is_in(text, length, organizations, COUNT(organizations)) ||
	    is_in(text, length, not_jdk_packages, COUNT(not_jdk_packages)))
		return PAGE_LIBRARY;
	/* Classes of the unnamed package are hardly ever a library's. */
	bool unnamed = first_names(text, length, 2) == 0;
	return application->prefix[0] != '\0' && !unnamed ? PAGE_LIBRARY : PAGE_APPLICATION;
}
