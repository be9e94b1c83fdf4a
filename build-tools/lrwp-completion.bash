# shellcheck shell=bash
# Completion of ./lrwp and its command ctl for bash:  . build-tools/lrwp-completion.bash

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
    --token-file | --ca-file | --certificate | --certificate-key | --config | --log-file | --https-certificate | --https-key)
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
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _lrwp lrwp ./lrwp
