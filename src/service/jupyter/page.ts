/** What a person's browser is shown at the address of an embedded server: no active page is ever served from it. */
export const facePage = (
	name: string,
	address: string,
): string => `This is ${name}, a notebook server with the embedded Python of svc-tui.

It answers Jupyter Server's interface, with one kernel: the one that svc-tui itself runs code in.
It has no page of its own. What speaks with it, at this address and with the token that led you here:

  VS Code                 "Select Kernel", "Existing Jupyter Server", then the address with its token
  JupyterLab, Notebook    jupyter lab --gateway-url=${address} \\
                            --GatewayClient.auth_token=TOKEN
  a program               GET ${address}api/kernels
                          with the header  Authorization: token TOKEN

  svc-tui server open ${name} --with-token   prints the address with its token, which changes at each start
  svc-tui run ${name} -                      runs Python from standard input, in the same kernel
`;
