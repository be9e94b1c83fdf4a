// The command line that all examples share.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Peer } from '../lrwp.mjs';

const USAGE = `--proxy HOST:PORT ... --context NAME ... [--concurrency N] [--secret-file F]
    [--identity NAME --key-id ID --key-file F] [--ca-file F [--certificate F --certificate-key F]]`;

/** The options of a peer as the command line has them; wrong use ends the program with one line. */
export function commandLine(defaults = {}) {
    try {
        return read(defaults);
    } catch (error) {
        fail(error);
    }
}

function fail(error) {
    console.error(error.message);
    process.exit(2);
}

function read(defaults) {
    const text = { type: 'string' };
    const list = { type: 'string', multiple: true };
    const { values } = parseArgs({
        options: { proxy: list, context: list, concurrency: text, 'secret-file': text, identity: text, 'key-id': text,
            'key-file': text, 'ca-file': text, certificate: text, 'certificate-key': text },
    });
    if (!values.proxy || !values.context) {
        throw new Error(USAGE);
    }
    const options = { ...defaults, proxy: values.proxy, context: values.context, log: (line) => console.log(line) };
    if (values.concurrency) {
        options.concurrency = Number(values.concurrency);
    }
    if (values['secret-file']) {
        options.secret = readFileSync(values['secret-file'], 'latin1').replace(/[\r\n]+$/, '');
    }
    if (values.identity || values['key-id'] || values['key-file']) {
        Object.assign(options, { identity: values.identity, keyId: values['key-id'], keyFile: values['key-file'] });
    }
    if (values['ca-file'] || values.certificate) { // without an authority the library refuses
        const contents = (name) => values[name] && readFileSync(values[name]);
        options.tls = { ca: contents('ca-file'), cert: contents('certificate'), key: contents('certificate-key') };
    }
    return options;
}

export function makePeer(handler, more = {}) {
    try {
        return new Peer({ ...commandLine({ concurrency: 8 }), ...more }, handler);
    } catch (error) {
        fail(error);
    }
}
