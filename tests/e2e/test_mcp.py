"""hprof mcp: scripted sessions of the Model Context Protocol. What tools answer is what the
subcommands write with --json, which test_json.py compares with the text; a session here does, too."""

import json
import os
import re
import subprocess

import pytest

from readers import json_reports
from support.builds import COMMAND, PLATFORM
from support.command import hprof, java_command
from support.runner import Runner, preloading

pytestmark = pytest.mark.any_jvm

LIMIT_S = 120
GATE = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y"
TOOLS = ["run", "hot_methods", "tree", "sites", "states", "diff", "verdict"]
PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602


def serve(data, exit_code=0, **how):
    """What the server answers to these lines, a message each."""
    done = subprocess.run([COMMAND, "mcp"], input=data, capture_output=True, check=False,
                          timeout=LIMIT_S, **how)
    assert done.returncode == exit_code, done.stderr
    assert done.stderr == b"" or exit_code
    lines = done.stdout.decode().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(autouse=True)
def built():
    done = subprocess.run([COMMAND, "mcp"], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, timeout=LIMIT_S)
    if done.returncode == 2:
        assert b"hprof mcp is unavailable: this hprof was built without jansson" in done.stderr
        pytest.skip("built without jansson")
    assert done.stdout == b""


def request(number, method, params=None):
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return json.dumps(message if params is None else {**message, "params": params}).encode() + b"\n"


def request_of(number, name, **arguments):
    """Of a call of a tool."""
    return request(number, "tools/call", {
        "name": name, "arguments": {key: str(value) if hasattr(value, "parts") else value
                                    for key, value in arguments.items()}})


def call(name, **arguments):
    """The answer to one call of a tool."""
    answers = serve(request_of(1, name, **arguments))
    assert len(answers) == 1 and answers[0]["jsonrpc"] == "2.0" and answers[0]["id"] == 1
    return answers[0]


def result(name, **arguments):
    return structured_of(name, call(name, **arguments))


def structured_of(name, answer):
    assert "error" not in answer, answer
    content = answer["result"]["content"]
    assert len(content) == 1 and content[0]["type"] == "text"
    structured = answer["result"]["structuredContent"]
    assert name == "run" or json.loads(content[0]["text"]) == structured
    assert answer["result"]["isError"] is False
    return structured


def failure(name, **arguments):
    """The message of a call that failed."""
    answer = call(name, **arguments)["result"]
    [content] = answer["content"]
    assert answer == {"content": [content], "isError": True} and content["type"] == "text"
    return content["text"]


def error(answer):
    assert "result" not in answer
    return answer["error"]["code"], answer["error"]["message"]


@pytest.fixture(scope="module")
def profiles(jdk, class_path, tmp_path_factory):
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("mcp"))
    runs = {"old": runner.run("GateWork", GATE),
            "new": runner.run("GateWork", GATE, "call", "allocation"),
            "states": runner.run("TimesSleep", "cpu=times,msa=y,depth=16", 300, 100)}
    assert all(run.exit_code == 0 for run in runs.values())
    yield {name: run.output for name, run in runs.items()}
    runner.close()


# ---- the protocol -----------------------------------------------------------------------


def test_a_session_begins_lists_tools_and_ends_with_the_input():
    lines = [request(0, "initialize", {"protocolVersion": "2025-03-26", "capabilities": {},
                                       "clientInfo": {"name": "test", "version": "1"}}),
             b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n', b"\r\n",
             request("ping", "ping"), request(2, "tools/list")]
    first, ping, listed = serve(b"".join(lines)[:-1])
    assert first["result"]["protocolVersion"] == "2025-03-26"
    assert first["result"]["capabilities"] == {"tools": {}}
    version = hprof("--version").stdout.decode().split()[1]
    assert first["result"]["serverInfo"] == {"name": "hprof", "version": version}
    assert ping == {"jsonrpc": "2.0", "id": "ping", "result": {}}
    tools = listed["result"]["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    for tool in tools:
        json_reports.validator_of(tool["inputSchema"])
        assert set(tool["inputSchema"]["required"]) <= set(tool["inputSchema"]["properties"])


def test_an_unknown_version_of_the_protocol_gets_ours():
    answer = serve(request(1, "initialize", {"protocolVersion": "1999-01-01"}))[0]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", answer["result"]["protocolVersion"])


@pytest.mark.parametrize("line, code, number", [
    (b"{", PARSE, None), (b"\xff\xfe", PARSE, None), (b'{"a":1,"a":2}', PARSE, None),
    (b"[]", REQUEST, None), (b"1", PARSE, None), (b"{}", REQUEST, None),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', REQUEST, None),
    (b'{"jsonrpc":"2.0","id":[],"method":"ping"}', REQUEST, None),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', REQUEST, None),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/none"}', METHOD, 7),
    (b'{"jsonrpc":"2.0","id":8,"method":"tools/call"}', PARAMS, 8),
    (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}', PARAMS, 9),
    (b"[" * 100000, PARSE, None), (b'"' + b"x" * (1 << 20) + b'"', REQUEST, None),
], ids=lambda value: repr(value)[:40])
def test_an_invalid_message_is_an_error_and_the_session_continues(line, code, number):
    answers = serve(line + b"\n" + request("next", "ping"))
    assert [answer["id"] for answer in answers] == [number, "next"]
    assert error(answers[0])[0] == code and answers[1]["result"] == {}


def test_a_batch_has_an_answer_that_is_a_line():
    """As the version 2025-03-26 of the protocol has it."""
    batch = [{"jsonrpc": "2.0", "id": 1, "method": "ping"}, [], 7,
             {"jsonrpc": "2.0", "method": "notifications/initialized"},
             {"jsonrpc": "2.0", "id": "x", "method": "none"}]
    answers, last = serve(json.dumps(batch).encode() + b"\n" + request("next", "ping"))
    assert [answer["id"] for answer in answers] == [1, None, None, "x"]
    assert answers[0]["result"] == {}
    assert [error(answer)[0] for answer in answers[1:]] == [REQUEST, REQUEST, METHOD]
    assert last["id"] == "next"
    assert serve(b'[{"jsonrpc":"2.0","method":"ping"}]\n') == []


def test_notifications_have_no_answer():
    assert serve(b'{"jsonrpc":"2.0","method":"ping"}\n{"jsonrpc":"2.0","method":"x"}\n') == []


def test_no_argument_is_taken():
    assert b"takes no argument" in hprof("mcp", "x", exit_code=2).stderr


# ---- tools ------------------------------------------------------------------------------


def of_command(*arguments, exit_code=0):
    return json.loads(hprof(*arguments, exit_code=exit_code).stdout)


def test_tools_answer_what_the_subcommands_write(profiles):
    new, old, states = (profiles[name] for name in ("new", "old", "states"))
    assert result("hot_methods", profile=new, top=5, by="class", of="times") == of_command(
        "report", "--json", "--by", "class", "--top", "5", "--of", "times", new)
    assert result("tree", profile=new, min=0) == of_command(
        "report", "--json", "--tree", "--min", "0", new)
    assert result("sites", profile=new) == of_command(
        "report", "--json", "--traces", "--of", "sites", new)
    assert result("states", profile=states, top=2) == of_command(
        "report", "--json", "--by", "state", "--top", "2", states)
    assert result("diff", old=old, new=new, of="calls", normalize=True) == of_command(
        "diff", "--json", "--of", "calls", "--normalize", old, new)


def text(*arguments, exit_code=0):
    return json_reports.parts(hprof(*arguments, exit_code=exit_code).stdout.decode())


def check_costs(found, profile):
    assert json_reports.costs(found) == text("report", "--by", "method", "--top", 4, profile)


def check_tree(found, *arguments):
    printed = [[json_reports.unindented(line) for line in part]
               for part in text("report", *arguments)]
    assert [json_reports.tree_lines(tree) for tree in found["trees"]] == printed
    for tree in found["trees"]:
        json_reports.check_depths(tree)


def check_sites(found, profile):
    [table] = found["tables"]
    printed = hprof("report", "--traces", "--of", "sites", "--top", 4, profile).stdout.decode()
    lines = printed.splitlines()
    at = lines.index(table["title"]) + 2
    wanted = json_reports.table_lines(table)
    assert len(wanted) > 4
    assert [json_reports.shown_frame(line) for line in lines[at:at + len(wanted)]] == wanted


def check_states(found, profile):
    assert json_reports.states(found) == text("report", "--by", "state", profile)


def check_diff(found, *arguments):
    [part] = found["parts"]
    names = text("diff", *arguments)[1]
    total = json_reports.diff_rows(names[2:3], part["unit"])[0]
    assert total[:2] == (part["total"]["old"], part["total"]["new"]) and total[0] < total[1]
    json_reports.check_diff_table(part["names"], names[3:], part["unit"])


def check_verdict(found, *arguments):
    printed = hprof("check", *arguments, exit_code=1).stdout.decode()
    assert json_reports.verdict(found) == printed.splitlines()


def test_a_session_gives_the_numbers_of_the_text(jdk, profiles):
    """One server, asked for each kind of report, one after the other."""
    new, old, states = (profiles[name] for name in ("new", "old", "states"))
    calls = {
        "hot_methods": ({"profile": new, "top": 4}, lambda found: check_costs(found, new)),
        "tree": ({"profile": new, "below": "[.]main$", "min": 0},
                 lambda found: check_tree(found, "--below", "[.]main$", "--min", 0, new)),
        "callers": ({"profile": states, "inverted": True},
                    lambda found: check_tree(found, "--inverted", states)),
        "sites": ({"profile": new, "top": 4}, lambda found: check_sites(found, new)),
        "states": ({"profile": states}, lambda found: check_states(found, states)),
        "diff": ({"old": old, "new": new, "of": "calls"},
                 lambda found: check_diff(found, "--of", "calls", old, new)),
        "verdict": ({"old": old, "new": new},
                    lambda found: check_verdict(found, "--baseline", old, new)),
    }
    if PLATFORM == "windows":  # has no regular expressions
        del calls["tree"]
    if jdk.version == 11:  # its allocations are reported by the JVM
        del calls["verdict"]
    lines = [request("first", "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                             "clientInfo": {"name": "test", "version": "1"}}),
             b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n']
    lines += [request_of(name, {"callers": "tree"}.get(name, name), **arguments)
              for name, (arguments, _) in calls.items()]
    answers = serve(b"".join(lines))
    assert [answer["id"] for answer in answers] == ["first", *calls]
    for answer, (name, (_, check)) in zip(answers[1:], calls.items()):
        check(structured_of(name, answer))


def test_a_verdict_is_no_error(jdk, profiles):
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    found = result("verdict", old=profiles["old"], new=profiles["new"], top=1)
    assert found == of_command("check", "--json", "--baseline", profiles["old"], "--top", "1",
                               profiles["new"], exit_code=1)
    assert not found["passed"]
    files = {"old": profiles["old"], "new": profiles["new"]}
    assert result("verdict", classes=["x.*", "GateWork*"], **files)["measures"] != []
    assert "has no method of the program's own classes" in failure(
        "verdict", classes=["none.*"], **files)


def test_a_program_is_profiled_into_a_new_file(jdk, class_path, tmp_path):
    arguments = {"output": tmp_path / "run.txt", "mode": "cpu",
                 "command": [str(word) for word in java_command(jdk, class_path, "Burn", 100)]}
    assert result("run", **arguments) == {"exit_code": 0}
    assert result("hot_methods", profile=tmp_path / "run.txt")["format"] == "hprof-report"
    again = call("run", **arguments)["result"]
    assert again["isError"] and again["structuredContent"]["exit_code"] != 0
    assert "exists already" in again["content"][0]["text"]


@pytest.mark.parametrize("name, arguments, said", [
    ("tree", {}, "profile is missing"),
    ("tree", {"profile": "-"}, "profile begins with -"),
    ("tree", {"profile": "x", "output": "y"}, "tree has no such argument"),
    ("none", {}, "no such tool"),
    ("hot_methods", {"profile": "x", "top": 10 ** 6}, "top is no integer from 1 to 1000"),
    ("run", {"output": "x.txt", "command": "java"}, "command is no list of texts"),
], ids=repr)
def test_arguments_that_a_tool_does_not_have_are_errors_of_json_rpc(name, arguments, said):
    code, message = error(call(name, **arguments))
    assert code == PARAMS and message.startswith(said)


@pytest.mark.parametrize("name, arguments, said", [
    ("tree", {"profile": "no-such-file"}, "can't read no-such-file: "),
    ("hot_methods", {"profile": "x", "by": "-o"}, "--by -o is invalid"),
], ids=repr)
def test_a_subcommand_that_fails_is_a_result_with_its_message(name, arguments, said):
    assert failure(name, **arguments).startswith(said)


def test_a_profile_without_states_is_a_failure(profiles):
    assert "has no TRACE MICROSTATES" in failure("states", profile=profiles["new"])


@pytest.mark.skipif(PLATFORM != "linux", reason="the library that looks on is for Linux")
def test_only_named_files_are_opened_and_no_socket(profiles, native_library, tmp_path):
    log, budget = tmp_path / "opened", tmp_path / "budget"
    budget.write_text("")
    environment = {**os.environ, **preloading(native_library("files_opened")),
                   "FILES_OPENED_LOG": str(log)}
    new, old, states = (profiles[name] for name in ("new", "old", "states"))
    calls = [("hot_methods", {"profile": new}), ("tree", {"profile": new}),
             ("sites", {"profile": new}), ("states", {"profile": states}),
             ("diff", {"old": old, "new": new}),
             ("verdict", {"old": old, "new": new, "budget": budget})]
    lines = [request_of(name, name, **arguments) for name, arguments in calls]
    answers = serve(b"".join(lines), env=environment)
    assert [answer["id"] for answer in answers] == [name for name, _ in calls]
    seen = set(log.read_text().splitlines())
    named = {f"open {path}" for path in (new, old, states, budget)}
    assert named <= seen
    # The first is the input of a subcommand, the second salts the tables of the JSON library.
    assert seen - named <= {"open /dev/null", "open /dev/urandom"}


def test_no_subcommand_reads_the_requests(profiles):
    """A name that is standard input elsewhere is no file here, nor do programs get the input."""
    files = {"old": profiles["old"], "new": profiles["new"]}
    answers = serve(request_of(1, "verdict", budget="-", **files) + request(2, "ping"))
    assert [answer["id"] for answer in answers] == [1, 2]
