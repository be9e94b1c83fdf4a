# shellcheck shell=bash
# Completion of ./lrwp for bash:  . build-tools/lrwp-completion.bash

# The options that ./lrwp help tells of a command: there they are written down.
_lrwp_options() {
    "$1" help 2>/dev/null | awk -v command="$2" '
        /^  \.\/lrwp / { inside = $2 == command }
        inside { print }' | grep -Eo -- '--[a-z0-9-]+' | sort -u
}

_lrwp() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i name='' words=''
    local commands='demo proxy check ctl doctor identity'
    commands+=' osp-peer download-peer cache-peer events-peer connect package site torture help --version'
    local looks='status contexts peers requests errors caches modules traffic cluster config watch inspect report'
    looks+=' actions'
    local acts='drain disconnect weight cancel repeat pause resume set unset purge run'
    acts+=' drain-node resume-node drain-peers resume-peers'
    COMPREPLY=()
    case $before in
    --*-file | --certificate | --certificate-key | --config | --data | --file | --https-certificate | --https-key | --output | --root)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$commands
    elif [ "${COMP_WORDS[1]}" = ctl ]; then
        for ((i = 2; i < COMP_CWORD; i++)); do
            case " $looks $acts " in *" ${COMP_WORDS[i]} "*) name=${COMP_WORDS[i]} ;; esac
        done
        words='--url --token-file --ca-file --certificate --certificate-key --json --help'
        case $name in
        '') words="$looks $acts $words" ;;
        pause) words="--text --retry-after --host $words" ;;
        resume) words="--host $words" ;;
        esac
    else
        if [ "$COMP_CWORD" -eq 2 ]; then
            case ${COMP_WORDS[1]} in
            identity) words='create renew ' ;;
            osp-peer) words='create-keys routes cdr status ' ;;
            cache-peer) words='inspect ' ;;
            connect) words='http cgi fastcgi run help ' ;;
            esac
        fi
        words+="--help $(_lrwp_options "${COMP_WORDS[0]}" "${COMP_WORDS[1]}")"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _lrwp lrwp ./lrwp
