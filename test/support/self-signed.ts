import {generateKeyPairSync, sign} from 'node:crypto';

/** An element in DER encoding: a tag, the length, the content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
	const content = Buffer.concat(parts);
	const bytes = content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0');
	const length = Buffer.from(bytes, 'hex');
	return Buffer.concat([
		Buffer.of(tag),
		content.length < 0x80 ? length : Buffer.concat([Buffer.of(0x80 | length.length), length]),
		content,
	]);
};

const [BOOLEAN, INTEGER, BITS, OCTETS, OID, UTF8, TIME, SEQUENCE, SET] = [
	0x01, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x18, 0x30, 0x31,
] as const;
const oid = (hex: string): Buffer => der(OID, Buffer.from(hex, 'hex'));
const ECDSA_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const time = (date: Date): Buffer =>
	der(TIME, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`));
const extension = (id: string, value: Buffer): Buffer => der(SEQUENCE, oid(id), der(OCTETS, value));

/**
 * Creates a self-signed certificate for `127.0.0.1` or a DNS name. It is encoded here, because Node
 * can sign but not create certificates.
 */
export const selfSigned = ({name = '127.0.0.1', until = new Date(Date.now() + 86_400_000)} = {}): {
	readonly cert: string;
	readonly key: string;
} => {
	const {publicKey, privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
	const subject = der(
		SEQUENCE,
		der(SET, der(SEQUENCE, oid('550403'), der(UTF8, Buffer.from('test of svc-tui')))),
	);
	const alternative = /^[\d.]+$/.test(name)
		? der(0x87, Buffer.from(name.split('.').map(Number)))
		: der(0x82, Buffer.from(name));
	const content = der(
		SEQUENCE,
		der(0xa0, der(INTEGER, Buffer.of(2))),
		der(INTEGER, Buffer.of(1)),
		ECDSA_SHA256,
		subject,
		der(SEQUENCE, time(new Date(until.getTime() - 365 * 86_400_000)), time(until)),
		subject,
		publicKey.export({type: 'spki', format: 'der'}),
		der(
			0xa3,
			der(
				SEQUENCE,
				extension('551d11', der(SEQUENCE, alternative)),
				extension('551d13', der(SEQUENCE, der(BOOLEAN, Buffer.of(0xff)))),
			),
		),
	);
	const signature = sign('sha256', content, privateKey);
	const certificate = der(SEQUENCE, content, ECDSA_SHA256, der(BITS, Buffer.of(0), signature));
	const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
		key: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
	};
};
