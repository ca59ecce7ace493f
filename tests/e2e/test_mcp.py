"""hprof mcp: a scripted session of the Model Context Protocol. What tools answer is what the
subcommands write with --json, which test_json.py compares with the text; here again in part."""

import json
import re
import subprocess

import pytest

from readers import json_reports
from support.builds import COMMAND
from support.command import hprof, java_command
from support.runner import Runner

pytestmark = pytest.mark.any_jvm

LIMIT_S = 120
GATE = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y"
TOOLS = ["run", "hot_methods", "tree", "sites", "states", "diff", "verdict"]
PARSE, REQUEST, METHOD, PARAMS, FAILED = -32700, -32600, -32601, -32602, -32000


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


def call(name, exit_code=0, **arguments):
    """The answer to one call of a tool."""
    params = {"name": name, "arguments": {key: str(value) if hasattr(value, "parts") else value
                                          for key, value in arguments.items()}}
    answers = serve(request(1, "tools/call", params), exit_code)
    assert len(answers) == 1 and answers[0]["jsonrpc"] == "2.0" and answers[0]["id"] == 1
    return answers[0]


def result(name, **arguments):
    answer = call(name, **arguments)
    assert "error" not in answer, answer
    content = answer["result"]["content"]
    assert len(content) == 1 and content[0]["type"] == "text"
    structured = answer["result"]["structuredContent"]
    assert name == "run" or json.loads(content[0]["text"]) == structured
    assert answer["result"]["isError"] is False
    return structured


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


def test_hot_methods_are_those_of_the_text(profiles):
    found = result("hot_methods", profile=profiles["new"], top=4, of="sites")
    printed = hprof("report", "--by", "method", "--top", "4", "--of", "sites", profiles["new"])
    assert json_reports.costs(found)[0] == printed.stdout.decode().splitlines()


def test_a_verdict_is_no_error(jdk, profiles):
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    found = result("verdict", old=profiles["old"], new=profiles["new"], top=1)
    assert found == of_command("check", "--json", "--baseline", profiles["old"], "--top", "1",
                               profiles["new"], exit_code=1)
    assert not found["passed"]
    files = {"old": profiles["old"], "new": profiles["new"]}
    assert result("verdict", classes=["x.*", "GateWork*"], **files)["measures"] != []
    code, message = error(call("verdict", classes=["none.*"], **files))
    assert code == FAILED and "has no method of the program's own classes" in message


def test_a_program_is_profiled_into_a_new_file(jdk, class_path, tmp_path):
    arguments = {"output": tmp_path / "run.txt", "mode": "cpu",
                 "command": [str(word) for word in java_command(jdk, class_path, "Burn", 100)]}
    assert result("run", **arguments) == {"exit_code": 0}
    assert result("hot_methods", profile=tmp_path / "run.txt")["format"] == "hprof-report"
    again = call("run", **arguments)["result"]
    assert again["isError"] and again["structuredContent"]["exit_code"] != 0
    assert "exists already" in again["content"][0]["text"]


@pytest.mark.parametrize("name, arguments, said", [
    ("tree", {"profile": "no-such-file"}, (FAILED, "can't read no-such-file: ")),
    ("tree", {}, (PARAMS, "profile is missing")),
    ("tree", {"profile": "-"}, (PARAMS, "profile begins with -")),
    ("tree", {"profile": "x", "output": "y"}, (PARAMS, "tree has no such argument")),
    ("none", {}, (PARAMS, "no such tool")),
    ("hot_methods", {"profile": "x", "by": "-o"}, (FAILED, "--by -o is invalid")),
    ("hot_methods", {"profile": "x", "top": 10 ** 6}, (PARAMS, "top is no integer from 1 to 1000")),
    ("run", {"output": "x.txt", "command": "java"}, (PARAMS, "command is no list of texts")),
], ids=repr)
def test_what_fails_is_an_error_of_json_rpc(name, arguments, said):
    code, message = error(call(name, **arguments))
    assert code == said[0] and message.startswith(said[1])


def test_a_profile_without_states_is_an_error(profiles):
    code, message = error(call("states", profile=profiles["new"]))
    assert code == FAILED and "has no TRACE MICROSTATES" in message
