// OpenAPI 3.1 document of the API, generated from the endpoints of the contract. `npm run docs`
// writes it.
import * as z from 'zod';
import {MODELS} from './names.ts';
import {pathFromRoot} from './paths.ts';
import {OPERATIONS, SCHEMAS, type Operation} from './openapi-operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** Descriptions of fields in requests and responses, by name. */
const FIELDS: Readonly<Record<string, string>> = {
	environment: 'An `environment_id` of GET /api/environments.',
	server_request:
		"Compute option: its `compute_id`, or `svc-` and a size for one of the service's own options.",
	port: 'Port on the server for a program of the user.',
	port_forward_url: 'Address that forwards to `port`, or `pending` until it is known.',
	url: "Address of the server, where Jupyter's own API may answer.",
	assistant_editor_url: "Address of the server's editor page.",
	hourly_rate: 'Price of an hour. The service does not state a currency.',
	hourly_price: 'Price of an hour. The service does not state a currency.',
	thumb: "Path of the server's icon.",
	token: 'Access token of the server. Null if it has none.',
	cloud_host: "Provider of the machine; `svc` for the service's own.",
	compute_id: "Absent for the service's own options.",
	memory: 'Size with the suffix `G`.',
	vram_per_gpu: 'Size with the suffix `G`; `0G` without a GPU.',
	total_vram: 'Size with the suffix `G`; `0G` without a GPU.',
	region: 'Regions are compared byte for byte.',
	serverPath: "The path as seen from the server's root.",
	created: 'ISO 8601, UTC.',
	last_modified: 'ISO 8601, UTC.',
	outputs: 'Outputs as in nbformat 4.',
	time_limit: "Longest time of a job in Slurm's queue, such as `4h`.",
	idle_stop: 'Time without use after which the server is stopped, such as `90m`; null for none.',
	max_run: 'Longest time from start to stop, such as `8h`; null for none.',
	kernel_name: 'Name of a kernel, such as `python3`.',
	role: '`user` for a question, `assistant` for an earlier answer.',
	key_page: 'Page where users create API keys. Null if the operator issues them.',
};

const describeFields = ({jsonSchema}: {readonly jsonSchema: z.core.JSONSchema.BaseSchema}): void => {
	for (const [name, schema] of Object.entries(jsonSchema.properties ?? {}))
		if (typeof schema === 'object' && FIELDS[name] !== undefined) schema.description ??= FIELDS[name];
};

const REF = '#/components/schemas/';
const registry = z.registry<{id: string}>();
for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, {id});

/** Schema without the keywords that only a standalone document needs. */
const plain = ({$schema: _, $id: __, ...schema}: Json): Json => schema;

const named = (): Json =>
	Object.fromEntries(
		Object.entries(
			z.toJSONSchema(registry, {uri: id => `${REF}${id}`, io: 'input', override: describeFields}).schemas,
		).map(([id, schema]) => [id, plain(schema as Json)]),
	);

/** Schema of a request or response. A named part becomes a reference. */
const schemaOf = (schema: z.ZodType): Json => {
	const known = Object.entries(SCHEMAS).find(([, each]) => each === schema);
	if (known) return {$ref: REF + known[0]};
	const {properties, ...rest} = plain(
		z.toJSONSchema(schema, {io: 'input', override: describeFields}) as unknown as Json,
	);
	const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
	const isNamed = (each: unknown): boolean => Object.values(SCHEMAS).some(other => other === each);
	const part = ([name, inline]: [string, unknown]): [string, unknown] => {
		const inner = shape[name];
		if (isNamed(inner)) return [name, schemaOf(inner as z.ZodType)];
		if (inner instanceof z.ZodArray && isNamed(inner.element))
			return [name, {type: 'array', items: schemaOf(inner.element as z.ZodType)}];
		return [name, inline];
	};
	return {
		...rest,
		...(properties !== undefined && {
			properties: Object.fromEntries(Object.entries(properties as Json).map(part)),
		}),
	};
};

const PARAMS: Readonly<Record<string, Json>> = {
	server_name: {description: 'Name of the server.', schema: {type: 'string'}},
	model: {description: 'Model of the assistant.', schema: {type: 'string', enum: MODELS}},
	path: {
		description:
			'Path of a file or folder, relative to the root. Percent-encode each segment, but not the slashes between them.',
		schema: {type: 'string'},
		'x-multi-segment': true,
	},
};

const parametersOf = ({row, headers = {}}: Operation): readonly Json[] => [
	...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
		name,
		in: 'path',
		required: true,
		...PARAMS[name],
	})),
	...Object.entries(headers).map(([name, description]) => ({
		name,
		in: 'header',
		description,
		schema: {type: 'string'},
	})),
];

const operationOf = (operation: Operation): Json => {
	const {id, does, more, tag, row, answers, isOpen, isTagged} = operation;
	const parameters = parametersOf(operation);
	return {
		operationId: id,
		summary: does,
		...(more !== undefined && {description: more}),
		tags: [tag],
		...(isOpen && {security: []}),
		...(parameters.length > 0 && {parameters}),
		...(row.body && {
			requestBody: {required: true, content: {'application/json': {schema: schemaOf(row.body)}}},
		}),
		responses: {
			[row.status ?? 200]: {
				description: 'Success.',
				...(isTagged && {
					headers: {ETag: {description: "SHA-256 of the file's content.", schema: {type: 'string'}}},
				}),
				content: answers
					? {'application/json': {schema: schemaOf(answers)}}
					: {'text/plain': {schema: {type: 'string'}}},
			},
			default: {$ref: '#/components/responses/Failure'},
		},
	};
};

const page = (id: string, does: string, content: Json): Json => ({
	operationId: id,
	summary: does,
	tags: ['operation'],
	security: [],
	responses: {200: {description: 'Success.', content}, default: {$ref: '#/components/responses/Failure'}},
});

const probe = (id: string, does: string): Json => page(id, does, {'text/plain': {schema: {const: 'ok\n'}}});

/** The document, for this version of the program. */
export const openApiDocument = (version: string): Json => {
	const paths: Record<string, Record<string, Json>> = {};
	for (const operation of OPERATIONS)
		(paths[pathFromRoot(operation.row.path)] ??= {})[operation.row.method.toLowerCase()] =
			operationOf(operation);
	return {
		openapi: '3.1.1',
		info: {
			title: 'Notebook servers',
			version,
			license: {name: 'MIT', identifier: 'MIT'},
			description:
				'Create, start and list notebook servers, read and write their files, run code on them and ask their assistant. Responses may have further fields; clients must ignore those they do not know.',
		},
		// Relative to this document, so that it also holds behind a proxy with a path.
		servers: [{url: '.'}],
		security: [{apiKey: []}],
		tags: ['servers', 'catalogue', 'files', 'code', 'assistant', 'extensions', 'operation'].map(name => ({
			name,
		})),
		paths: {
			...paths,
			'/healthz': {get: probe('getHealth', 'Answers while the process runs')},
			'/readyz': {get: probe('getReadiness', 'Answers while the service accepts requests')},
			'/openapi.json': {
				get: page('getOpenApi', 'Returns this document', {'application/json': {schema: {type: 'object'}}}),
			},
		},
		components: {
			securitySchemes: {apiKey: {type: 'apiKey', in: 'header', name: 'apiKey'}},
			responses: {
				Failure: {
					description: 'Failure; `message` is a sentence for the user.',
					content: {'application/json': {schema: {$ref: `${REF}Error`}}},
				},
			},
			schemas: named(),
		},
	};
};
