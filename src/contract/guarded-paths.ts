// Paths for which the user must decide. This applies to everything that acts on files
// automatically: tasks, and clients of the MCP server. The operator of their model can see all that
// they read.
import {foldedName} from './paths.ts';

const SECRET_WORD =
	'(?:credentials?|creds?|secrets?|tokens?|passwords?|passwd|passphrases?|(?:api|priv|private|access|secret|signing|encryption|ssh|deploy|auth)[-_]?keys?|client[-_]?secrets?|(?:service|svc)[-_]?acc(?:oun)?ts?(?:[-_]?(?:keys?|credentials?))?|netrc|htpasswd|pgpass)';

/** File names, in lower case, that by convention hold keys or passwords. */
const PRIVATE_NAMES: readonly RegExp[] = [
	// SSH keys, including host keys.
	/^id_(?:rsa|dsa|ecdsa|ed25519)/,
	/(?:^|[-_.])(?:rsa|dsa|ecdsa|ed25519)(?:_key)?$/,
	// Key material, key stores, and Terraform state and variables, which hold plain passwords.
	/\.(?:env|pem|key|p8|p12|pfx|pkcs12|der|jks|keystore|truststore|jceks|bks|pk8|pkcs8|pvk|keytab|kdbx?|ppk|gpg|pgp|asc|age|agekey|ovpn|tfvars|tfstate|kubeconfig)$/,
	/\.(?:tfstate\.[^/]*|tfvars\.json|env\.(?:local|prod|production|dev|development|staging|test))$/,
	/^env\.(?:local|prod|production|dev|development|staging|test)$/,
	new RegExp(`^(?:.*[-_. ])?${SECRET_WORD}(?:\\.[^.]*)?$`),
	// Configuration files may have a secret word anywhere in their names:
	// `client_secret_123.apps.example.com.json`.
	new RegExp(
		`(?:^|[-_. ])${SECRET_WORD}(?:[-_. ].*)?\\.(?:json|ya?ml|toml|ini|cfg|conf|config|properties|xml|txt)$`,
	),
	// Names of credentials that clouds and clusters issue.
	/^[a-z][a-z0-9-]*-(?=\d*[a-f])[0-9a-f]{12}\.json$/,
	/firebase-adminsdk/,
	/(?:^|[-_.])(?:sa|key|key[-_]?file)\.(?:json|ya?ml)$/,
	/^rootkey\.csv$/,
	/^(?:kaggle|auth)\.json$/,
	/^(?:admin|kubelet|scheduler|controller-manager|rclone|wg\d+)\.conf$/,
	/(?:^|[-_. ])kube[-_.]?config(?:$|[-_. ])/,
	/^k3s\.ya?ml$/,
	/vault[-_]?pass/,
	/^wallet\.dat$/,
];

/** Suffixes of backup copies, by editors or made by hand. */
const COPY = /(?:~|\.(?:bak|backup|old|orig|save|copy|swp|tmp|\d+))+$/;

const isPrivateName = (name: string): boolean => {
	const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-');
	// File systems may treat other spellings as the same name.
	const spellings = [name.toLowerCase(), foldedName(name), foldedName(words)];
	return spellings.some(
		each =>
			each.startsWith('.') ||
			PRIVATE_NAMES.some(pattern => pattern.test(each) || pattern.test(each.replace(COPY, ''))),
	);
};

/**
 * True for hidden files, keys, passwords and anything in folders so named. Reading, listing or
 * writing these needs the user's consent.
 */
export const isPrivate = (path: string): boolean => path.split(/[/\\]/).some(isPrivateName);

const INSTRUCTIONS =
	/^(?:agents?|claude|gemini|qwen|crush|warp|copilot-instructions|skill)(?:\.[\w-]+)?\.md$/;

/**
 * True for files that assistants read as instructions. Text that one task writes there would reach
 * later tasks.
 */
const isInstructions = (path: string): boolean =>
	path.split(/[/\\]/).some(name => INSTRUCTIONS.test(foldedName(name)));

export type Guard = 'private' | 'instructions';

/**
 * The reason why the user decides on each read or write of this path. Undefined if a permission may
 * cover it.
 */
export const guardOf = (path: string, does: 'read' | 'write'): Guard | undefined => {
	if (isPrivate(path)) return 'private';
	return does === 'write' && isInstructions(path) ? 'instructions' : undefined;
};
