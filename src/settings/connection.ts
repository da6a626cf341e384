import {definedFields} from '../text/record.ts';

/** Options of the connection to a service. Files are in PEM format. */
export type ConnectionOptions = {
	/** Extra CA certificate. */
	readonly caFile?: string;
	/** Certificate that identifies this client to the service. */
	readonly clientCertFile?: string;
	/** Private key of that certificate. By default it is in the same file. */
	readonly clientKeyFile?: string;
	/** Allows sending the API key unencrypted to another machine. */
	readonly insecureHttp?: boolean;
};

/** Options of the command line, completed by those of a profile. */
export const connectionOf = (
	{caFile, clientCertFile, clientKeyFile, insecureHttp}: ConnectionOptions,
	profile: ConnectionOptions = {},
): ConnectionOptions =>
	definedFields({
		caFile: caFile ?? profile.caFile,
		clientCertFile: clientCertFile ?? profile.clientCertFile,
		// The profile's private key does not match another certificate.
		clientKeyFile: clientKeyFile ?? (clientCertFile === undefined ? profile.clientKeyFile : undefined),
		insecureHttp: insecureHttp ?? profile.insecureHttp,
	});
