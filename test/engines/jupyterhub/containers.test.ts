// Files of the page on containers and Kubernetes. This machine has no container engine and no
// cluster, so the test checks the form of the files, and starts the service with the values in
// them.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {z} from 'zod';
import {freePort} from '../../support/free-port.ts';
import {newHome, PROGRAM} from '../../support/program.ts';
import {waitFor} from '../../support/wait-for.ts';

const DOCS = join(import.meta.dirname, '../../../src/docs');
const blocksOf = (page: string, language: string): readonly string[] =>
	[...readFileSync(join(DOCS, page), 'utf8').matchAll(/^```(\w+)\n([^]*?)^```/gm)].flatMap(
		([, name, text = '']) => (name === language ? [text] : []),
	);
const [file = ''] = blocksOf('containers.md', 'dockerfile');
const [values = '', manifests = ''] = blocksOf('containers.md', 'yaml');
const [catalogue = ''] = blocksOf('hub.md', 'json');

const argumentsOf = (instruction: string): readonly string[] =>
	z.array(z.string()).parse(JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(file)?.[1] ?? ''));

const deployment = z.object({
	spec: z.object({
		replicas: z.number(),
		selector: z.object({matchLabels: z.record(z.string(), z.string())}),
		template: z.object({
			metadata: z.object({labels: z.record(z.string(), z.string())}),
			spec: z.object({
				terminationGracePeriodSeconds: z.number(),
				containers: z.tuple([
					z.object({
						args: z.array(z.string()),
						ports: z.tuple([z.object({name: z.string(), containerPort: z.number()})]),
						readinessProbe: z.object({httpGet: z.object({path: z.string(), port: z.string()})}),
						livenessProbe: z.object({httpGet: z.object({path: z.string(), port: z.string()})}),
						volumeMounts: z.tuple([z.object({name: z.string(), mountPath: z.string()})]),
					}),
				]),
				volumes: z.tuple([z.object({name: z.string()})]),
			}),
		}),
	}),
});
const documents = () => {
	const all = parseAllDocuments(manifests, {strict: true});
	expect(all.flatMap(({errors, warnings}) => [...errors, ...warnings])).toEqual([]);
	return new Map(
		all.map(document => [
			z.object({kind: z.string()}).parse(document.toJS()).kind,
			document.toJS() as unknown,
		]),
	);
};

test('the manifests name each other: labels, ports, volumes, the service behind the address', () => {
	const all = documents();
	expect([...all.keys()]).toEqual(['Deployment', 'Service', 'Ingress']);
	const {spec} = deployment.parse(all.get('Deployment'));
	const {
		metadata: {labels},
		spec: {containers, volumes},
	} = spec.template;
	const [{ports, readinessProbe, livenessProbe, volumeMounts, args}] = containers;
	expect(spec.selector.matchLabels).toEqual(labels);
	expect(all.get('Service')).toMatchObject({
		metadata: {name: 'svc-tui'},
		spec: {selector: labels, ports: [{name: 'http', targetPort: ports[0].name}]},
	});
	expect([readinessProbe.httpGet.port, livenessProbe.httpGet.port]).toEqual([ports[0].name, ports[0].name]);
	expect(volumeMounts[0].name).toBe(volumes[0].name);
	expect(args[args.indexOf('--catalogue') + 1]).toMatch(new RegExp(`^${volumeMounts[0].mountPath}/`));
	expect(all.get('Ingress')).toMatchObject({
		spec: {
			tls: [{hosts: ['nb.example.com']}],
			rules: [
				{
					host: new URL(args[args.indexOf('--public-url') + 1] ?? '').hostname,
					http: {paths: [{path: '/', backend: {service: {name: 'svc-tui', port: {name: 'http'}}}}]},
				},
			],
		},
	});
	expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
		Number(args[args.indexOf('--drain') + 1]) + 30,
	);
});

test("the hub's values hold the profiles and images that the catalogue asks for", () => {
	const {hub, singleuser} = z
		.object({
			hub: z.object({config: z.object({JupyterHub: z.object({allow_named_servers: z.literal(true)})})}),
			singleuser: z.object({
				profileList: z.array(
					z.object({
						slug: z.string(),
						profile_options: z.object({image: z.object({choices: z.record(z.string(), z.unknown())})}),
					}),
				),
			}),
		})
		.parse(parse(values, {strict: true}));
	expect(hub).toBeDefined();
	const asked = z
		.object({
			compute: z.array(z.object({user_options: z.object({profile: z.string()})})),
			environments: z.array(z.object({user_options: z.object({image: z.string()})})),
		})
		.parse(JSON.parse(catalogue));
	expect(singleuser.profileList.map(({slug}) => slug)).toEqual(
		asked.compute.map(({user_options: {profile}}) => profile),
	);
	for (const {profile_options: options} of singleuser.profileList)
		expect(Object.keys(options.image.choices)).toEqual(
			asked.environments.map(({user_options: {image}}) => image),
		);
});

test.each(['the container file', 'the manifests'])(
	'the service starts with what %s gives it',
	async where => {
		await using home = await newHome();
		const port = await freePort();
		const [program, ...always] = argumentsOf('ENTRYPOINT');
		expect(program).toBe('svc-tui');
		expect(file).toContain(`EXPOSE ${always[always.indexOf('--port') + 1]}`);
		const {spec} = deployment.parse(documents().get('Deployment'));
		const [container] = spec.template.spec.containers;
		expect(container.ports[0].containerPort).toBe(Number(always[always.indexOf('--port') + 1]));
		const catalogueFile = join(home.folder, 'catalogue.json');
		writeFileSync(catalogueFile, catalogue);
		const more = where === 'the manifests' ? container.args : argumentsOf('CMD');
		// A port that is free here.
		const changed = new Map([
			[always[always.indexOf('--port') + 1], String(port)],
			['/etc/svc-tui/catalogue.json', catalogueFile],
			['10', '0'],
		]);
		const args = [...always, ...more].map(each => changed.get(each) ?? each);
		const child = spawn(PROGRAM, args, {env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe']});
		const ended = once(child, 'exit');
		let errors = '';
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			errors += text;
		});
		try {
			for (const {httpGet} of [container.readinessProbe, container.livenessProbe])
				await waitFor(async () => {
					expect(child.exitCode, errors).toBeNull();
					expect((await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status).toBe(200);
				});
		} finally {
			child.kill('SIGTERM');
			await ended;
		}
	},
);
