/*
 * owner.c: see owner.h.
 */
#include "owner.h"

#include <accctrl.h>
#include <aclapi.h>
#include <stdlib.h>

/* Information on this process's token, in memory from malloc(); NULL with the
 * reason in *error. */
static void *token_information(TOKEN_INFORMATION_CLASS kind, int *error)
{
	HANDLE token = NULL;
	DWORD size = 0;
	if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
		*error = system_error();
		return NULL;
	}
	(void)GetTokenInformation(token, kind, NULL, 0, &size);
	void *information = size > 0 ? malloc(size) : NULL;
	*error = information == NULL ? ERROR_NOT_ENOUGH_MEMORY : 0;
	if (information != NULL && !GetTokenInformation(token, kind, information, size, &size)) {
		*error = system_error();
		free(information);
		information = NULL;
	}
	(void)CloseHandle(token);
	return information;
}

/* Reading and writing, and to rename, delete and administrate; not to execute. */
#define OWNERS_RIGHTS \
	(FILE_GENERIC_READ | FILE_GENERIC_WRITE | DELETE | READ_CONTROL | WRITE_DAC | WRITE_OWNER)

static int make_list(SID *user, enum owner_only_of what, ACL **list)
{
	bool directory = what == OWNER_ONLY_DIRECTORY;
	DWORD rights = directory ? FILE_ALL_ACCESS : OWNERS_RIGHTS;
	DWORD inherited = directory ? OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE : 0;
	DWORD size = (DWORD)(sizeof(ACL) + sizeof(ACCESS_ALLOWED_ACE)) + GetLengthSid(user);
	*list = malloc(size);
	if (*list == NULL)
		return ERROR_NOT_ENOUGH_MEMORY;
	if (!InitializeAcl(*list, size, ACL_REVISION) ||
	    !AddAccessAllowedAceEx(*list, ACL_REVISION, inherited, rights, user)) {
		int error = system_error();
		free(*list);
		*list = NULL;
		return error;
	}
	return 0;
}

int owner_only_init(struct owner_only *owner, enum owner_only_of what)
{
	int error = 0;
	owner->list = NULL;
	TOKEN_USER *user = token_information(TokenUser, &error);
	if (user == NULL)
		return error;
	error = make_list(user->User.Sid, what, &owner->list);
	free(user);
	if (error != 0)
		return error;
	/* Protected: nothing is added from the directory's rights. */
	if (InitializeSecurityDescriptor(&owner->descriptor, SECURITY_DESCRIPTOR_REVISION) &&
	    SetSecurityDescriptorDacl(&owner->descriptor, TRUE, owner->list, FALSE) &&
	    SetSecurityDescriptorControl(&owner->descriptor, SE_DACL_PROTECTED, SE_DACL_PROTECTED))
		return 0;
	error = system_error();
	owner_only_free(owner);
	return error;
}

void owner_only_free(struct owner_only *owner)
{
	free(owner->list);
	owner->list = NULL;
}

/* The error of file systems without access rights. */
static bool has_no_rights(DWORD error)
{
	return error == ERROR_INVALID_FUNCTION || error == ERROR_NOT_SUPPORTED ||
	       error == ERROR_CALL_NOT_IMPLEMENTED;
}

int owner_only_apply(HANDLE file)
{
	struct owner_only owner;
	int error = owner_only_init(&owner, OWNER_ONLY_FILE);
	if (error != 0)
		return error;
	if (!SetKernelObjectSecurity(
	            file, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
	            &owner.descriptor))
		error = system_error();
	owner_only_free(&owner);
	return has_no_rights((DWORD)error) ? 0 : error;
}

static bool is_users(PSID sid)
{
	int error;
	TOKEN_USER *user = token_information(TokenUser, &error);
	TOKEN_OWNER *owner = token_information(TokenOwner, &error);
	bool users = (user != NULL && EqualSid(sid, user->User.Sid)) ||
	             (owner != NULL && EqualSid(sid, owner->Owner));
	free(user);
	free(owner);
	return users;
}

static bool is_systems(PSID sid)
{
	return IsWellKnownSid(sid, WinLocalSystemSid) ||
	       IsWellKnownSid(sid, WinBuiltinAdministratorsSid);
}

/* A file system without owners has none to fear. */
static bool owner_is(HANDLE file, bool (*one)(PSID), bool (*other)(PSID))
{
	PSID sid = NULL;
	PSECURITY_DESCRIPTOR descriptor = NULL;
	DWORD result = GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &sid, NULL,
	                               NULL, NULL, &descriptor);
	if (result != ERROR_SUCCESS)
		return has_no_rights(result);
	bool is = sid != NULL && (one(sid) || (other != NULL && other(sid)));
	(void)LocalFree(descriptor);
	return is;
}

bool owner_is_us(HANDLE file)
{
	return owner_is(file, is_users, NULL);
}

bool owner_is_us_or_system(HANDLE file)
{
	return owner_is(file, is_users, is_systems);
}
