/*
 * private_check.h: what the tests of files share: a look at their rights.
 */
#ifndef HPROF_TESTS_PRIVATE_CHECK_H
#define HPROF_TESTS_PRIVATE_CHECK_H

#include "system.h"

#include <aclapi.h>
#include <check.h>

/* Fails unless rights on the file or directory are given to one user alone. */
static inline void check_private(const wchar_t *path)
{
	PACL list = NULL;
	PSECURITY_DESCRIPTOR descriptor = NULL;
	SECURITY_DESCRIPTOR_CONTROL control = 0;
	DWORD revision = 0;
	ck_assert_uint_eq(GetNamedSecurityInfoW(path, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
	                                        NULL, NULL, &list, NULL, &descriptor),
	                  ERROR_SUCCESS);
	ck_assert_ptr_nonnull(list);
	ck_assert(GetSecurityDescriptorControl(descriptor, &control, &revision));
	/* The rights of a file under Wine are the three of Unix: none for others. */
	struct {
		TOKEN_USER user;
		char room[SECURITY_MAX_SID_SIZE];
	} me;
	HANDLE token = NULL;
	DWORD size = 0;
	ck_assert(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token));
	ck_assert(GetTokenInformation(token, TokenUser, &me, sizeof(me), &size));
	(void)CloseHandle(token);
	for (DWORD i = 0; i < list->AceCount; i++) {
		ACCESS_ALLOWED_ACE *ace = NULL;
		ck_assert(GetAce(list, i, (void **)&ace));
		if (ace->Header.AceType == ACCESS_ALLOWED_ACE_TYPE)
			ck_assert_msg(EqualSid(&ace->SidStart, me.user.User.Sid) ||
			                      IsWellKnownSid(&ace->SidStart, WinLocalSystemSid) ||
			                      (ace->Mask & (FILE_READ_DATA | FILE_WRITE_DATA)) == 0,
			              "entry %lu of %lu, flags %x, lets somebody else in: %lx", i,
			              (DWORD)list->AceCount, ace->Header.AceFlags, ace->Mask);
	}
	(void)LocalFree(descriptor);
}

#endif
