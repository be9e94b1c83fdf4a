# shellcheck shell=bash
# Files that a script makes whole: one that somebody else has made at the same place is not touched. The script defines
# `render PATH`, which prints what the file should have; one of its lines must have the words of OWNER.

: "${root?}"
OWNER='made by solaris-tuning'
NOT_OURS='(not ours)'

text_of() {
    cat "$1" 2>/dev/null
    printf x
}

# The value of a file of the table is the word "written".
file_current() {
    local path=$root$1
    if [ ! -e "$path" ]; then
        printf '%s\n' "$NONE"
    elif [ "$(text_of "$path")" = "$(render "$1" && printf x)" ]; then
        printf 'written\n'
    else
        case $(cat "$path" 2>/dev/null) in
        *"$OWNER"*) printf '%s\n' "$OLDER" ;;
        *) printf '%s\n' "$NOT_OURS" ;;
        esac
    fi
}

file_change() {
    local path=$root$1
    case $(file_current "$1") in
    "$NOT_OURS")
        complain "$path is somebody else's: move it away first"
        return 1
        ;;
    esac
    mkdir -p "$(dirname "$path")" && render "$1" >"$path.new" && chmod "$2" "$path.new" && mv "$path.new" "$path"
}

file_restore() {
    case $(file_current "$1") in
    "$NOT_OURS") return 1 ;;
    *) rm -f "$root$1" ;;
    esac
}
