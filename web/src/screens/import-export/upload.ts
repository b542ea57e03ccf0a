import { goToSignIn } from '../../api/accounts.ts'
import type { Output } from '../../api/client.ts'
import { Problem, problemOf } from '../../api/problem.ts'
import { workspaceHeaders } from '../../api/workspace.ts'

interface Uploaded {
  readonly id: string
  readonly format: Output<'start_import'>['format']
}

interface Options {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Sends a file, and tells which share of it is on its way, which `fetch` cannot. Rejects with a Problem; without a session, leaves for the sign-in. */
export const uploadFile = (file: File, { onProgress, signal }: Options): Promise<Uploaded> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/files/imports?name=${encodeURIComponent(file.name)}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(workspaceHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onerror = () =>
      reject(
        new Problem({
          code: 'unreachable',
          detail: 'The connection broke before the whole file was there. Upload it again.',
        }),
      )
    request.onload = async () => {
      // The door’s own shape.
      if (request.status === 201) return resolve((JSON.parse(request.responseText) as { data: Uploaded }).data)
      if (request.status === 401) goToSignIn()
      reject(await problemOf(new Response(request.responseText, { status: request.status })))
    }
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
