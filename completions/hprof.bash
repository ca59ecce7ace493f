# Completion of the hprof command for bash: subcommands, their options, JVM process IDs, and
# the options of the agent, which are one word: cpu=samples,depth=30,file=main.txt.

# Options of the agent and their values; those without a list take any value.
_hprof_agent_options='cpu=samples|times|old heap=dump|sites|all live=y|n heapinterval=
	monitor=y|n msa=y|n include= exclude= interval= depth= lineno=y|n native=y|n thread=y|n vthreads=y|n
	cutoff= timeline=y|n costs=y|n format=a|b file= net=unix: force=y|n doe=y|n verbose=y|n notes=y|n
	messages= replace=y|n help'

_hprof_subcommands='run attach listen report diff check mcp help --version'

_hprof_peer_commands='force gc
dump heap
alloc sites
heap summary
exit
dump traces
cpu samples
control alloc traces on
control alloc traces off
control cpu sampling on
control cpu sampling off
control clear
control depth
eof'

# Candidates that begin with $cur go to COMPREPLY. Readline replaces what follows the last
# = or : of the word, so the candidates lose what is before that.
_hprof_reply()
{
	local candidate skip=${cur%"${cur##*[=:]}"}

	[[ $COMP_WORDBREAKS == *=* ]] || skip=
	for candidate; do
		[[ $candidate == "$cur"* ]] && COMPREPLY+=("${candidate#"$skip"}")
	done
}

_hprof_files()
{
	local IFS=$'\n' prefix=$1 name=$2

	compopt -o filenames 2>/dev/null
	_hprof_reply $(compgen -P "$prefix" -f -- "$name")
}

# The agent's options, the last of the list being typed. $1: further words that stand alone.
_hprof_agent()
{
	local done item name option values
	local -a candidates=()

	item=${cur##*,}
	done=${cur%"$item"}
	name=${item%%=*}
	compopt -o nospace 2>/dev/null
	if [[ $item == file=* ]]; then
		_hprof_files "${done}file=" "${item#file=}"
		return
	fi
	for option in $_hprof_agent_options; do
		if [[ $item == *=* ]]; then
			[[ $option == "$name="* ]] || continue
			local IFS='|'
			for values in ${option#*=}; do
				candidates+=("$done$name=$values")
			done
			unset IFS
		elif [[ $option == include=* || $option == exclude=* || \
			",$done" != *",${option%%=*}="* ]]; then
			[[ $option == *=* ]] && option=${option%%=*}=
			candidates+=("$done$option")
		fi
	done
	[[ -z $done ]] && candidates+=("$@")
	_hprof_reply "${candidates[@]}"
}

# HotSpot has a file for each JVM, named by its process ID.
_hprof_jvms()
{
	local file pid

	for file in /tmp/hsperfdata_*/*; do
		pid=${file##*/}
		[[ $pid == +([0-9]) && -d /proc/$pid ]] && _hprof_reply "$pid"
	done
}

_hprof_report()
{
	case $previous in
	--of) _hprof_reply samples times off-cpu sites monitors usr lck slp i/o lat stw ;;
	--by) _hprof_reply method line class package thread state ;;
	--top | --below | --min | --filter | --ignore) ;;
	-o) _hprof_files '' "$cur" ;;
	*)
		if [[ $cur == -* ]]; then
			_hprof_reply --traces --by --tree --inverted --below --min --threads --top --of --last \
				--filter --ignore -o --json --collapsed --flame
		else
			_hprof_files '' "$cur"
		fi
		;;
	esac
}

_hprof_diff()
{
	case $previous in
	--of) _hprof_reply samples times calls off-cpu sites monitors heap states usr lck slp i/o lat stw ;;
	--top) ;;
	*)
		if [[ $cur == -* ]]; then
			_hprof_reply --json --of --normalize --last --threads --top -o
		else
			_hprof_files '' "$cur"
		fi
		;;
	esac
}

_hprof_check()
{
	case $previous in
	--classes | --top) ;;
	*)
		if [[ $cur == -* ]]; then
			_hprof_reply --baseline --budget --classes --junit --json -o --top
		else
			_hprof_files '' "$cur"
		fi
		;;
	esac
}

_hprof_listen()
{
	local command

	case $previous in
	-o) _hprof_files '' "$cur" ;;
	--send)
		while IFS= read -r command; do
			_hprof_reply "$(printf '%q' "$command")"
		done <<<"$_hprof_peer_commands"
		;;
	*)
		if [[ $cur == unix:* ]]; then
			_hprof_files unix: "${cur#unix:}"
		elif [[ $cur == -* ]]; then
			_hprof_reply -o --send
		else
			compopt -o nospace 2>/dev/null
			_hprof_reply unix:
		fi
		;;
	esac
}

_hprof_modes='cpu calls offcpu live alloc monitors dump'

# The value of an option, if $previous has one; else the options in $@, if one is being typed.
_hprof_option()
{
	case $previous in
	-e) _hprof_reply $_hprof_modes ;;
	-d) ;;
	-o | --libpath) _hprof_files '' "$cur" ;;
	*)
		[[ $cur == -* ]] || return 1
		_hprof_reply "$@"
		;;
	esac
	return 0
}

# How many words there are before $cur that are neither an option nor its value.
_hprof_position()
{
	local i count=0

	for ((i = 2; i < ${#words[@]} - 1; i++)); do
		if [[ ${words[i]} == -* ]]; then
			((i++))
		else
			((count++))
		fi
	done
	echo $count
}

# After --, the command line of java.
_hprof_run()
{
	local i

	for ((i = 2; i < ${#words[@]} - 1; i++)); do
		if [[ ${words[i]} == -- ]]; then
			if ((i == ${#words[@]} - 2)); then
				_hprof_reply java
			else
				_hprof_files '' "$cur"
			fi
			return
		fi
	done
	_hprof_option -e -o && return
	if (($(_hprof_position) == 0)); then
		_hprof_agent
	fi
	_hprof_reply --
}

_hprof_attach()
{
	_hprof_option -e -d -o --libpath && return
	case $(_hprof_position) in
	0) _hprof_jvms ;;
	1) _hprof_agent stop ;;
	esac
}

_hprof()
{
	# What is typed, up to the cursor, by blanks: COMP_WORDS is broken at = and : too.
	local line=${COMP_LINE:0:COMP_POINT} cur previous
	local -a words

	read -ra words <<<"$line"
	[[ $line == *[[:blank:]] ]] && words+=('')
	cur=${words[${#words[@]} - 1]}
	previous=${words[${#words[@]} - 2]}
	COMPREPLY=()
	if ((${#words[@]} == 2)) || [[ ${words[1]} == help && ${#words[@]} == 3 ]]; then
		_hprof_reply $_hprof_subcommands
		return
	fi
	case ${words[1]} in
	run) _hprof_run ;;
	attach) _hprof_attach ;;
	listen) _hprof_listen ;;
	report) _hprof_report ;;
	diff) _hprof_diff ;;
	check) _hprof_check ;;
	esac
}

complete -F _hprof hprof
