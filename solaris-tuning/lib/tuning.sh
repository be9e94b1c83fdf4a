# shellcheck shell=bash
# Shows the settings of a table beside what a system has, applies them, and undoes that. For bash 3.2, the oldest that
# Solaris comes with, and nothing but builtins where Solaris' own tools differ.
#
# The table is a Markdown file: rows of `| how | name | value | unit | default | reason | source | ... |`. `leave` in the
# first column is a setting that must not be made, with the reason; the value "(none)" is one that is made only when the
# command line names it.
#
# A script sets `program`, `table`, `kinds` (the words its table may have in the first column) and `state` before it sources
# this file, and defines
#   current HOW NAME          prints the value of now; fails when this system does not have the setting
#   change HOW NAME VALUE     makes it
#   restore HOW NAME BEFORE   makes it as it was
# and may redefine the hooks below. `tune "$@"` does the rest.
#
# The state file holds what was there before the first --apply, a line `how<tab>name<tab>before` each. It is written
# before the setting is made, so that a run that was cut off can be undone too, and a second --apply keeps it.

: "${program:?}" "${table:?}" "${kinds:?}" "${state:?}"
NONE='(none)'
OLDER='(older)' # a file of ours with other values
failed=0

# Hooks: what to do before values are read, after some were made, after --apply and after --undo.
refresh() { :; }
flush() { :; }
after_apply() { :; }
after_undo() { :; }
# An option of the script's own: sets `taken` to the number of words it took, 0 = not its own.
own_option() { taken=0; }
own_usage() { :; }

usage() {
    cat <<TEXT
$program --show     each setting: what it is, what it should be; changes nothing
$program --apply    makes them, and keeps in the state file what was there before
$program --undo     puts back what was there before the first --apply

  --set NAME=VALUE    another value than the table's ($table); repeatable
  --state FILE        the state file ($state)
TEXT
    own_usage
    cat <<TEXT

Exit codes: 0 done, 1 something could not be made, 2 wrong use.
TEXT
}

refuse() {
    printf '%s: %s\n' "$program" "$1" >&2
    exit 2
}

complain() {
    printf '%s: %s\n' "$program" "$1" >&2
    failed=1
}

say() {
    printf '%s\n' "$1"
}

# --- The table ---------------------------------------------------------------------------------

# REPLY: the cell without blanks and backticks around it.
trim() {
    local outer=$' \t`'
    REPLY=${1#"${1%%[!"$outer"]*}"}
    REPLY=${REPLY%"${REPLY##*[!"$outer"]}"}
}

load_table() {
    local line number=0 cell1 cell2 cell3 cell4 cell6
    rows=0
    while IFS= read -r line; do
        number=$((number + 1))
        case $line in
        '| how |'*) continue ;;
        '| '*) ;;
        *) continue ;;
        esac
        IFS='|' read -r _ cell1 cell2 cell3 cell4 _ cell6 _ <<<"$line"
        trim "$cell1" && row_how[rows]=$REPLY
        trim "$cell2" && row_name[rows]=${REPLY//\`/}
        trim "$cell3" && row_value[rows]=$REPLY
        trim "$cell4" && row_unit[rows]=$REPLY
        trim "$cell6" && row_reason[rows]=${REPLY//\`/}
        case " $kinds leave " in
        *" ${row_how[rows]} "*) ;;
        *) refuse "$table, line $number: there is no way ${row_how[rows]} to make a setting" ;;
        esac
        if [ -z "${row_name[rows]}" ] || { [ -z "${row_value[rows]}" ] && [ "${row_how[rows]}" != leave ]; }; then
            refuse "$table, line $number: a setting needs a name and a value"
        fi
        rows=$((rows + 1))
    done <"$table"
    [ "$rows" -gt 0 ] || refuse "$table has no settings"
}

# The value of a setting of the table.
setting() {
    local i
    for ((i = 0; i < rows; i++)); do
        if [ "${row_how[i]}" != leave ] && [ "${row_name[i]}" = "$1" ]; then
            printf '%s\n' "${row_value[i]}"
            return
        fi
    done
    return 1
}

override() {
    local i
    case $1 in
    ?*=?*) ;;
    *) refuse "--set needs NAME=VALUE, not $1" ;;
    esac
    # Names may end with = themselves: the longest that fits is meant.
    local best=-1 length=0
    for ((i = 0; i < rows; i++)); do
        case $1 in
        "${row_name[i]}="?*)
            if [ "${row_how[i]}" != leave ] && [ "${#row_name[i]}" -gt "$length" ]; then
                best=$i
                length=${#row_name[i]}
            fi
            ;;
        esac
    done
    [ "$best" -ge 0 ] || refuse "--set ${1%%=*}: $table has no such setting to make"
    row_value[best]=${1#"${row_name[best]}="}
    asked="$asked $best "
}

# Whether setting i is to be made: "(none)" is an offer, taken by --set.
is_wanted() {
    [ "${row_how[$1]}" != leave ] && [ "${row_how[$1]}" != value ] && [ "${row_value[$1]}" != "$NONE" ]
}

# --- The state file ----------------------------------------------------------------------------

load_state() {
    known=0
    local kind key before
    [ -f "$state" ] || return 0
    while IFS=$'\t' read -r kind key before; do
        case $kind in
        '#'* | '') continue ;;
        esac
        known_how[known]=$kind
        known_name[known]=$key
        known_before[known]=$before
        known=$((known + 1))
    done <"$state"
}

save_state() {
    local i left=0
    for ((i = 0; i < known; i++)); do
        case ${known_how[i]} in
        gone | note) ;;
        *) left=$((left + 1)) ;;
        esac
    done
    if [ "$left" -eq 0 ]; then
        rm -f "$state"
        return
    fi
    if ! mkdir -p "$(dirname "$state")" 2>/dev/null || ! {
        printf '# What %s found before its first --apply; --undo needs it.\n' "$program"
        for ((i = 0; i < known; i++)); do
            if [ "${known_how[i]}" != gone ]; then
                printf '%s\t%s\t%s\n' "${known_how[i]}" "${known_name[i]}" "${known_before[i]}"
            fi
        done
    } 2>/dev/null >"$state.new" || ! mv "$state.new" "$state"; then
        refuse "cannot write the state file $state: be root, or name another with --state; nothing more was changed"
    fi
}

# REPLY: the place of a setting in the state, -1 = it is not there.
find_known() {
    local i
    REPLY=-1
    for ((i = 0; i < known; i++)); do
        if [ "${known_how[i]}" = "$1" ] && [ "${known_name[i]}" = "$2" ]; then
            REPLY=$i
        fi
    done
}

# Keeps a value in the state; the first one stays.
remember() {
    find_known "$1" "$2"
    [ "$REPLY" -lt 0 ] || return 0
    known_how[known]=$1
    known_name[known]=$2
    known_before[known]=$3
    known=$((known + 1))
}

forget() {
    find_known "$1" "$2"
    [ "$REPLY" -lt 0 ] || known_how[REPLY]=gone
}

# What a script has to know until --undo: note KEY VALUE, noted KEY.
note() {
    forget note "$1"
    remember note "$1" "$2"
    save_state
}

noted() {
    find_known note "$1"
    [ "$REPLY" -ge 0 ] && printf '%s\n' "${known_before[REPLY]}"
}

# --- Show, apply, undo -------------------------------------------------------------------------

show() {
    local i now mark width=0
    refresh
    load_state
    for ((i = 0; i < rows; i++)); do
        if [ "${row_how[i]}" != leave ] && [ "${#row_name[i]}" -gt "$width" ]; then
            width=${#row_name[i]}
        fi
    done
    printf "%-${width}s  %-20s  %-20s  %s\n" setting now wanted ''
    for ((i = 0; i < rows; i++)); do
        case ${row_how[i]} in
        leave) continue ;;
        value) now=- ;;
        *) now=$(current "${row_how[i]}" "${row_name[i]}") || now='(not on this system)' ;;
        esac
        mark=differs
        if [ "${row_how[i]}" = value ]; then
            mark='used below'
        elif [ "$now" = '(not on this system)' ] || ! is_wanted "$i"; then
            mark=-
        elif [ "$now" = "${row_value[i]}" ]; then
            mark=ok
        fi
        printf "%-${width}s  %-20s  %-20s  %s, %s\n" "${row_name[i]}" "$now" "${row_value[i]}" "$mark" "${row_unit[i]}"
    done
    say ''
    say 'left alone, with the reason:'
    for ((i = 0; i < rows; i++)); do
        [ "${row_how[i]}" != leave ] || printf '  %s: %s\n' "${row_name[i]}" "${row_reason[i]}"
    done
}

apply() {
    local i now pending=()
    local was=()
    refresh
    load_state
    for ((i = 0; i < rows; i++)); do
        is_wanted "$i" || continue
        if ! now=$(current "${row_how[i]}" "${row_name[i]}"); then
            case $asked in
            *" $i "*) complain "${row_name[i]}: this system does not have it" ;;
            *) say "${row_name[i]}: not on this system, left out" ;;
            esac
            continue
        fi
        if [ "$now" = "${row_value[i]}" ]; then
            say "${row_name[i]}: $now already"
            continue
        fi
        was[i]=$now
        [ "$now" != "$OLDER" ] || now=$NONE
        remember "${row_how[i]}" "${row_name[i]}" "$now"
        pending[${#pending[@]}]=$i
    done
    [ "${#pending[@]}" -gt 0 ] || return 0
    save_state
    for i in "${pending[@]}"; do
        change "${row_how[i]}" "${row_name[i]}" "${row_value[i]}" || complain "${row_name[i]}: cannot be set to ${row_value[i]}"
    done
    flush || complain 'not all of it could be made'
    refresh
    for i in "${pending[@]}"; do
        now=$(current "${row_how[i]}" "${row_name[i]}") || now=$NONE
        if [ "$now" = "${row_value[i]}" ]; then
            say "${row_name[i]}: ${was[i]} -> $now"
            continue
        fi
        complain "${row_name[i]}: is $now, should be ${row_value[i]}"
        find_known "${row_how[i]}" "${row_name[i]}"
        [ "$now" != "${known_before[REPLY]}" ] || forget "${row_how[i]}" "${row_name[i]}"
    done
    save_state
    after_apply
}

undo() {
    local i now pending=()
    local was=()
    load_state
    if [ "$known" -eq 0 ]; then
        say "nothing to undo: there is no state file $state"
        return
    fi
    refresh
    for ((i = known - 1; i >= 0; i--)); do
        [ "${known_how[i]}" != note ] || continue
        now=$(current "${known_how[i]}" "${known_name[i]}") || now='(not on this system)'
        was[i]=$now
        pending[${#pending[@]}]=$i
        [ "$now" != "${known_before[i]}" ] || continue
        restore "${known_how[i]}" "${known_name[i]}" "${known_before[i]}" ||
            complain "${known_name[i]}: cannot be set back to ${known_before[i]}"
    done
    flush || complain 'not all of it could be put back'
    refresh
    for i in "${pending[@]}"; do
        now=$(current "${known_how[i]}" "${known_name[i]}") || now='(not on this system)'
        if [ "$now" = "${known_before[i]}" ]; then
            say "${known_name[i]}: ${was[i]} -> $now"
            known_how[i]=gone
        else
            complain "${known_name[i]}: is $now, was ${known_before[i]}; $state keeps it"
        fi
    done
    save_state
    after_undo
}

tune() {
    local action='' settings=() i taken
    asked=''
    known=0
    while [ $# -gt 0 ]; do
        case $1 in
        --show | --apply | --undo)
            [ -z "$action" ] || refuse "one of --show, --apply and --undo, not two"
            action=${1#--}
            shift
            ;;
        --state)
            [ $# -ge 2 ] || refuse '--state needs a file'
            state=$2
            shift 2
            ;;
        --set)
            [ $# -ge 2 ] || refuse '--set needs NAME=VALUE'
            settings[${#settings[@]}]=$2
            shift 2
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            own_option "$@"
            [ "$taken" -gt 0 ] || refuse "there is no option $1: $program --help lists them"
            shift "$taken"
            ;;
        esac
    done
    [ -n "$action" ] || refuse 'say --show, --apply or --undo; --help explains them'
    load_table
    for ((i = 0; i < ${#settings[@]}; i++)); do
        override "${settings[i]}"
    done
    case $action in
    show) show ;;
    apply) apply ;;
    undo) undo ;;
    esac
    exit "$failed"
}
