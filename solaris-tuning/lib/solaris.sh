# shellcheck shell=bash
# What Solaris 10 has in common with Solaris 11 and illumos: /etc/system, and processors.

: "${root?}"

# Tools in the words of the C locale, and where users' PATHs do not have them.
export LC_ALL=C
PATH=$PATH:/usr/sbin:/usr/bin:/sbin

BEGIN_MARK='* solaris-tuning: begin, --undo takes this out'
END_MARK='* solaris-tuning: end'
COMMENTED='*solaris-tuning* '

# --- /etc/system -------------------------------------------------------------------------------
# Read at boot. A line that sets the same is commented out, and the new one stands in a block of its own at the end.

# Whether a line sets a name; REPLY is its value.
sets() {
    local pattern='^[[:blank:]]*set[[:blank:]]+'$2'[[:blank:]]*=[[:blank:]]*([^[:blank:]]+)'
    [[ $1 =~ $pattern ]] && REPLY=${BASH_REMATCH[1]}
}

system_current() {
    local line found=$NONE file=$root/etc/system
    [ -f "$file" ] || return 1
    # The last line wins.
    while IFS= read -r line || [ -n "$line" ]; do
        ! sets "$line" "$1" || found=$REPLY
    done <"$file"
    printf '%s\n' "$found"
}

# Writes /etc/system again: NAME gets VALUE, or with "(none)" what was there before.
system_write() {
    local file=$root/etc/system line inside=no own=() i
    [ -f "$file" ] || return 1
    if [ ! -f "$file.before-tuning" ]; then
        cp -p "$file" "$file.before-tuning" || return 1
    fi
    cp -p "$file" "$file.new" || return 1
    {
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in
            "$BEGIN_MARK") inside=yes ;;
            "$END_MARK") inside=no ;;
            "$COMMENTED"*)
                if [ "$2" = "$NONE" ] && sets "${line#"$COMMENTED"}" "$1"; then
                    line=${line#"$COMMENTED"}
                fi
                printf '%s\n' "$line"
                ;;
            *)
                if [ "$inside" = yes ]; then
                    sets "$line" "$1" || own[${#own[@]}]=$line
                elif [ "$2" != "$NONE" ] && sets "$line" "$1"; then
                    printf '%s%s\n' "$COMMENTED" "$line"
                else
                    printf '%s\n' "$line"
                fi
                ;;
            esac
        done <"$file"
        [ "$2" = "$NONE" ] || own[${#own[@]}]="set $1=$2"
        if [ "${#own[@]}" -gt 0 ]; then
            printf '%s\n' "$BEGIN_MARK"
            for ((i = 0; i < ${#own[@]}; i++)); do
                printf '%s\n' "${own[i]}"
            done
            printf '%s\n' "$END_MARK"
        fi
    } >"$file.new" && mv "$file.new" "$file"
}

system_change() {
    system_write "$1" "$2"
}

# The lines from before are in the file itself, commented out.
system_restore() {
    system_write "$1" "$NONE"
}

# The copy that `boot -a` can name when the system does not come up goes with the last change.
system_done() {
    local line
    [ -f "$root/etc/system" ] || return 0
    while IFS= read -r line; do
        [ "$line" != "$BEGIN_MARK" ] || return 0
    done <"$root/etc/system"
    rm -f "$root/etc/system.before-tuning"
}

# --- Processors --------------------------------------------------------------------------------
# Lists of processors are in rising order with a blank between, as `psrinfo` has them.

processors_current() {
    case $1 in
    offline) offline_current ;;
    set) set_current ;;
    esac
}

processors_change() {
    case $1 in
    offline) offline_change "$2" ;;
    set) set_change "$2" ;;
    esac
}

offline_current() {
    local id mode list=''
    command -v psrinfo >/dev/null || return 1
    while read -r id mode _; do
        [ "$mode" != off-line ] || list="$list $id"
    done < <(psrinfo)
    list=${list# }
    printf '%s\n' "${list:-$NONE}"
}

# Exactly these are off-line afterwards.
offline_change() {
    local now id wanted=$1
    now=$(offline_current) || return 1
    [ "$wanted" != "$NONE" ] || wanted=''
    [ "$now" != "$NONE" ] || now=''
    for id in $now; do
        case " $wanted " in
        *" $id "*) ;;
        *) psradm -n "$id" || return 1 ;;
        esac
    done
    for id in $wanted; do
        case " $now " in
        *" $id "*) ;;
        *) psradm -f "$id" || return 1 ;;
        esac
    done
}

# The processors of the set with an identifier.
members() {
    local text
    text=$(psrset -i "$1" 2>/dev/null) || return 1
    text=${text##*processor }
    printf '%s\n' "${text##*processors }"
}

# The set that --apply has made: its identifier alone is not enough, for sets end with a boot and identifiers come again.
set_current() {
    local own
    command -v psrset >/dev/null || return 1
    own=$(noted processor-set) || own=''
    if [ -n "$own" ] && [ "$(members "${own%%:*}")" = "${own#*:}" ]; then
        printf '%s\n' "${own#*:}"
    else
        printf '%s\n' "$NONE"
    fi
}

# A set of its own without interrupts of devices.
set_change() {
    local own text id
    if [ "$(set_current)" != "$NONE" ]; then
        own=$(noted processor-set)
        psrset -d "${own%%:*}" >/dev/null || return 1
    fi
    [ "$1" != "$NONE" ] || return 0
    # shellcheck disable=SC2086 # one word for each processor
    text=$(psrset -c $1) || return 1
    id=${text#created processor set }
    id=${id%%[!0-9]*}
    [ -n "$id" ] || return 1
    note processor-set "$id:$1"
    psrset -f "$id" || complain "processor set $id: some of its processors still take interrupts"
    say "processor set $id: psrset -e $id COMMAND starts a program in it, psrset -b $id PID moves one there"
}
