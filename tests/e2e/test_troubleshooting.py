"""docs/TROUBLESHOOTING.md has an entry for each message of the source, and no other.

What is printed is found by the calls that print: the tables below name the functions that a
message passes through. A new way to standard error is in no table, which fails."""

import errno
import os
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from support.c_source import MACRO_TEXT, read_c

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "TROUBLESHOOTING.md"

# What writes to standard error itself: all other messages go through these.
LOWEST = {
    ("src/base/messages.c", "message_print"), ("src/console/messages.c", "print_line"),
    ("src/base/progress.c", "progress_update"), ("src/base/progress.c", "progress_end"),
    ("src/attach/attach_wait.c", "draw"), ("src/attach/attach_wait.c", "end"),
    ("src/agent/attach.c", "attach"),  # the help, of options/help.c
}
STREAM = {"stderr", "perror", "syslog", "dprintf"}

# Functions that take a message or a NOTE, and the argument that has its format.
ROADS = {
    "message_print": 0, "console_usage": 0, "console_failed": 0, "console_print": 0,
    "profile_fail": 1, "profile_note": 1, "writer_note": 1, "add_error": 1, "mcp_fail": 2,
    "text_refuse": 1, "report_missed": 2, "dump_run_explain": 1, "answer_failure": 0,
}
# Static functions of this name take whole messages in these files.
REFUSE = {"src/agent/attach.c": 0, "src/agent/load.c": 0, "src/agent/start.c": 0,
          "src/mcp/mcp_server.c": 2}

# Functions with a format that prints no message.
OTHER_FORMATS = {"byte_buffer_printf"}

# A system's error: what the agent could not do, with which name, and the advice.
EXPLAINS = "output_target_explain"

# Where texts of messages are put together, or chosen, before they are printed.
TEXTS = {
    "src/agent/attach.c": "hint_for",
    "src/agent/output_target.c": "output_target_explain open_file open_connection",
    "src/agent/start.c": "left_out_format",
    "src/agent/start_line.c": "start_line_format",
    "src/alloc/heap_sites.c": "write_reduced_note",
    "src/attach/attach_load.c": "attach_print_refusal",
    "src/attach/attach_wait.c": "draw",
    "src/base/progress.c": "progress_update",
    "src/calls/call_counting.c": "write_huge_note write_reduced_note write_pace_note",
    "src/calls/tracker.c": "find_clock tracker_create",
    "src/classfile/rewrite.c": "skip_texts",
    "src/command/peer_commands.c": "refuse",
    "src/console/messages.c": "console_print_written console_reason",
    "src/gate/comparable.c": "find_obstacle check_sections check_classes profiles_comparable",
    "src/gate/rules.c": "parse_budget parse_words rules_parse",
    "src/heapdump/heap_dump.c": "merge",
    "src/heapdump/vm_dump.c": "explain_exception call_dumper",
    "src/heapdump/walk_dump.c": "add_reference write_primitive_classes follow_references",
    "src/hotspot/async_walker.c": "async_walker_lacks",
    "src/mcp/mcp_call.c": "answer_failure",
    "src/options/options.c": "refuse_value refuse_name parse_part check_together",
    "src/report/report_binary.c": "read_records report_read_binary",
    "src/sampling/cpu_samples.c": "write_stackless_note",
    "src/sampling/engine_async.c": "write_walker_note write_lack_note new_engine "
                                   "engine_async_create",
    "src/sampling/engine_clock.c": "engine_clock_create",
    "src/sampling/state_samples.c": "write_note",
    "src/vm/class_rewriting.c": "class_rewriting_write_note",
    "src/vm/state_notes.c": "state_notes_write",
    "src/vm/timer_watch.c": "taken_line changed_line at_end_line slowed_line refused_line",
}

# Values among these texts, and parts of lines that need no entry.
VALUES = {
    "CPU TIME section (cpu=times)", "SITES section (heap=sites,live=n)", "no reason given",
    "not skipped", "it gave no reason", " (hprof check reports details)",
    "print it with: hprof report FILE", "what they allocate is not counted",
    "their time is charged to their callers", "calls of intrinsics and causes of waits",
    "%s every %u bytes", "cpu=samples every %u ms", "SIGQUIT to process %d",
    "parent group name string", "static field name string", "end of the file",
    "%s ... %.0f%% (%llu of %llu %s), %u s",  # progress
    f"%s: from %{MACRO_TEXT} to %{MACRO_TEXT} %s; red grew, blue shrank",  # a title
}

# Calls with a message that is put together elsewhere: its texts are in TEXTS, or in ROADS.
FORWARDS = {
    "src/agent/attach.c": "refuse",
    "src/agent/begin_modes.c": "report_missed",
    "src/agent/go_live.c": "print_start",           # start_line.c
    "src/agent/load.c": "refuse",
    "src/agent/run_notes.c": "write_note",          # the facts of notes=y
    "src/agent/start.c": "refuse open_messages agent_read_options agent_open_output create_mode "
                         "create_writer",
    "src/alloc/heap_sites.c": "write_reduced_note",
    "src/attach/attach_load.c": "attach_print_messages",  # lines of the agent
    "src/attach/jvm_names.c": "print_jvm",                # a process ID and a name
    "src/base/progress.c": "progress_update",
    "src/calls/call_counting.c": "write_huge_note write_reduced_note write_pace_note",
    "src/command/command_gate.c": "add_budget read_sides",  # gate/rules.c, gate/comparable.c
    "src/command/command_listen.c": "send_command",         # peer_commands.c
    "src/mcp/mcp_call.c": "answer_report",  # of a subcommand
    "src/mcp/mcp_server.c": "refuse",
    "src/profile/profile.c": "profile_note",
    "src/sampling/cpu_samples.c": "write_stackless_note",
    "src/sampling/engine_async.c": "write_walker_note write_lack_note",
    "src/sampling/state_samples.c": "write_note",
    "src/session/profile_plan.c": "profile_plan_check_options",  # options.c
    "src/vm/class_rewriting.c": "class_rewriting_write_note",
    "src/vm/state_notes.c": "state_notes_write",
    "src/vm/timer_watch.c": "add_refused add_slowed add_taken timer_watch_last_look "
                            "timer_watch_write_notes",
}

# Sentences that are no message, by file and function or variable: * is all.
NO_MESSAGES = {
    # Help.
    "src/command/command.c": "command_table help_of",
    "src/options/help.c": "*",
    "src/options/option_table.c": "*",
    # What is on standard output, or in a file.
    "src/export/*.c": "*",
    "src/hprof/*.c": "*",
    "src/page/*.c": "*",
    "src/report/report_binary.c": "read_sites read_summary heap_title",
    "src/report/report_table.c": "shapes heading_of",
    "src/report/state_costs.c": "meanings",
    # Errors that are counted and not printed.
    "src/classfile/constant_pool.c": "*",
    "src/classfile/reader.c": "*",
    # Descriptions of tools, and shapes of JSON.
    "src/mcp/mcp_server.c": "initialize send_error",
    "src/mcp/mcp_tools.c": "tools describe_tool",
    # Names of commands, with their arguments.
    "src/agent/net_commands.c": "command_rows",
    "src/command/peer_commands.c": "names",
    # Names of clocks and timers, and code.
    "src/os/*/*.c": "*",
    # Values of messages and of NOTEs.
    "src/alloc/alloc_mode.c": "describe",
    "src/alloc/alloc_traces.c": "alloc_traces_describe",
    "src/calls/tracker.c": "tracker_clock_name",
    "src/sampling/engine.c": "stackless_reason_name",
    "src/sampling/engine_clock.c": "engine_clock_describe",
    "src/sampling/microstates.c": "locks_name",
    "src/session/profile_plan.c": "reserved",
    # Titles of modes, for "Dumping ...".
    "src/calls/cpu_*.c": "cpu_old_mode cpu_times_mode",
    "src/sampling/cpu_samples.c": "cpu_samples_mode",
    # What to do with a file that was written.
    "src/views/*.c": "profile_format_*",
    # The beginning of a file of another format.
    "src/views/profile_input.c": "profile_input_is_profile",
}
# Calls whose texts go elsewhere.
NO_MESSAGE_CALLS = {"byte_buffer_printf", "byte_buffer_add_text", "puts", "_Static_assert",
                    "progress_update", EXPLAINS}

CONVERSION = re.compile(rf"%[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?"
                        rf"(?:[diouxXcsfgp]|{MACRO_TEXT})|{MACRO_TEXT}")

pytestmark = pytest.mark.any_jvm


@cache
def read_sources():
    return [read_c(ROOT, path) for path in sorted((ROOT / "src").rglob("*.c"))]


def places(table):
    return {(path, name) for path, names in table.items() for name in names.split()}


def as_entry(text):
    """What the page has of a format: ... for each value, or several with no word between them."""
    text = CONVERSION.sub(MACRO_TEXT, text.replace("%%", "%").replace("\r\033[K", ""))
    text = re.sub(rf"{MACRO_TEXT}(?:[.:]?{MACRO_TEXT})*", "...", text)
    return " ".join(text.removeprefix("hprof: ").removeprefix("; ").split())


def words(text, least):
    return len(re.findall(r"[A-Za-z]{2,}", CONVERSION.sub(" ", text))) >= least


def formats_of(call):
    """The texts of the argument with the format; None if the call takes no message."""
    place = REFUSE.get(call.path) if call.name == "refuse" else ROADS.get(call.name)
    return None if place is None or place >= len(call.arguments) else call.arguments[place]


def messages_of(sources):
    """The messages as the page has them, with a place of each."""
    found = {}
    texts = places(TEXTS)
    for source in sources:
        for call in source.calls:
            if call.name == EXPLAINS and len(call.arguments) == 6:
                for advice in call.arguments[5]:
                    found.setdefault(f"can't {call.arguments[2][0]} ...: ...; {advice}", call.place)
            for text in formats_of(call) or []:
                if words(text, 1):
                    found.setdefault(as_entry(text), call.place)
        for literal in source.literals:
            if (literal.place in texts and literal.call != EXPLAINS and words(literal.text, 2)
                    and " " in literal.text.strip() and literal.text not in VALUES):
                found.setdefault(as_entry(literal.text), literal.place)
    return found


def launcher_messages():
    """Those of the launcher in hprof.jar: texts joined by + with values."""
    found = {}
    for path in sorted((ROOT / "dist/jar/hprof/launcher").glob("*.java")):
        for message in re.findall(r"throw (?:new Refusal|Refusal\.\w+)\((.*?)\);", path.read_text(), re.DOTALL):
            parts = re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s"][^"]*)', message)
            text = "".join(text or ("" if value.strip() == "+" else "...") for text, value in parts)
            found.setdefault(text, path.name)
    return found


def all_messages():
    return {**messages_of(read_sources()), **launcher_messages()}


def entries():
    """The messages of the page: items of lists that are a code span and nothing else."""
    return re.findall(r"^- `(.+)`$", PAGE.read_text(), re.MULTILINE)


def test_each_message_has_an_entry():
    messages = all_messages()
    page = set(entries())
    assert len(messages) > 250 and len(launcher_messages()) > 3
    assert not {text: place for text, place in messages.items() if text not in page}


def test_each_entry_is_of_a_message():
    messages = all_messages()
    assert not [entry for entry in entries() if entry not in messages]


def test_a_message_has_one_entry():
    page = entries()
    assert sorted(page) == sorted(set(page))


def test_each_entry_says_what_to_do():
    """After the messages of an entry there is a text."""
    blocks = re.split(r"\n\n+", PAGE.read_text())
    lists = [at for at, block in enumerate(blocks) if block.startswith("- `")]
    assert not [blocks[at] for at in lists
                if at + 1 == len(blocks) or re.match(r"#|- ", blocks[at + 1])]


def test_reasons_of_the_system_are_explained():
    """All of our own have a row, and each other row is of the C library."""
    own = set(re.findall(r'_\(OS_\w+, -\d+, +"(.*)"\)', (ROOT / "src/os/os.h").read_text()))
    rows = set(re.findall(r"^\| `(.+?)` \|", PAGE.read_text(), re.MULTILINE))
    assert len(own) > 5
    assert own <= rows
    assert rows - own <= {os.strerror(number) for number in errno.errorcode}


def test_all_that_write_to_standard_error_are_known():
    assert {(source.path, function) for source in read_sources()
            for function, word in source.words if word in STREAM} == LOWEST


def test_all_functions_with_a_format_are_known():
    found = set()
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        found |= set(re.findall(r"(\w+)\((?:[^(){};]|\n)*const char \*\w+,\s*\.\.\.\)",
                                path.read_text()))
    assert found - OTHER_FORMATS <= set(ROADS)


def test_messages_that_are_put_together_elsewhere_are_known():
    """A function that passes a text on to a printing one is a new road."""
    found = {call.place for source in read_sources() for call in source.calls
             if formats_of(call) is not None
             and not any(words(text, 1) for text in formats_of(call))}
    assert found == places(FORWARDS)
    assert places(TEXTS) <= {literal.place for source in read_sources()
                             for literal in source.literals}


def is_sentence(text):
    return len(re.findall(r"[A-Za-z]", text)) > 8 and len(text.split()) > 3


def is_elsewhere(literal):
    return literal.call in NO_MESSAGE_CALLS or any(
        fnmatchcase(literal.path, path) and fnmatchcase(literal.function, name)
        for path, names in NO_MESSAGES.items() for name in names.split())


def test_each_sentence_of_the_source_is_a_message_or_known_as_none():
    sources = read_sources()
    messages = messages_of(sources)
    assert not [literal for source in sources for literal in source.literals
                if is_sentence(literal.text) and literal.text not in VALUES
                and as_entry(literal.text) not in messages and not is_elsewhere(literal)]
