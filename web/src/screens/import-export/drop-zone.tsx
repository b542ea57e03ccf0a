import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { goToSignIn, workspaceHeaders } from '../../api/accounts.ts'
import { Problem, problemOf } from '../../api/http.ts'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import classes from './drop-zone.module.css'
import { inBytes } from './in-bytes.ts'

interface Props {
  readonly onUploaded: (id: string) => void
}

interface Upload {
  readonly name: string
  readonly bytes: number
  readonly share: number
  readonly cancel: () => void
}

/** Where a file is dropped or chosen; shows how much of it has arrived. */
export const DropZone = ({ onUploaded }: Props) => {
  const [isOver, setIsOver] = useState(false)
  const [upload, setUpload] = useState<Upload | null>(null)
  const [error, setError] = useState<unknown>(null)
  const button = useRef<HTMLButtonElement>(null)
  useKeys([{ key: 'u', does: t('Upload a file'), run: () => button.current?.click() }])

  const send = async (file: File | null | undefined): Promise<void> => {
    if (file === null || file === undefined || upload !== null) return
    const leaving = new AbortController()
    const cancel = () => {
      leaving.abort()
      setUpload(null)
    }
    setError(null)
    setUpload({ name: file.name, bytes: file.size, share: 0, cancel })
    try {
      const onProgress = (share: number) => setUpload(current => current && { ...current, share })
      const { id } = await uploadFile(file, { onProgress, signal: leaving.signal })
      onUploaded(id)
    } catch (caught) {
      setError(caught)
    }
    setUpload(null)
  }
  const dropped = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void send(event.dataTransfer.files[0])
  }

  return (
    <section
      aria-label={t('Upload a file')}
      className={classes.zone ?? ''}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={dropped}
    >
      {upload === null ? (
        <Group gap="md" justify="space-between">
          <Stack gap={2} miw={0} flex="1 1 16rem">
            <Text fw={550}>{t('Drop a file here, or choose one')}</Text>
            <Text size="sm" c="dimmed">
              {t(
                'CSV, Excel workbooks, JSON or JSON Lines of signals, also as other tools export them, up to 100 MB unless this installation has another limit, or an export of a workspace. Nothing is imported yet.',
              )}
            </Text>
          </Stack>
          <FileButton onChange={send}>
            {props => (
              <Button {...props} ref={button} leftSection={<IconFileUpload size={16} aria-hidden />}>
                {t('Choose file')}
              </Button>
            )}
          </FileButton>
        </Group>
      ) : (
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {rich('Uploading {name}, {bytes}', { name: <bdi>{upload.name}</bdi>, bytes: inBytes(upload.bytes) })}
            </Text>
            <Button size="compact-sm" variant="default" onClick={upload.cancel}>
              {t('Cancel')}
            </Button>
          </Group>
          <Progress value={upload.share * 100} aria-label={t('Upload of {name}', { name: upload.name })} />
        </Stack>
      )}
      {error !== null && (
        <Stack mt="md">
          <ErrorState error={error} title={t('The file was not taken')} />
        </Stack>
      )}
    </section>
  )
}

interface Uploaded {
  readonly id: string
  readonly format: Output<'start_import'>['format']
}

interface Options {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/**
 * Sends a file, and tells which share of it is on its way, which `fetch` cannot. Rejects with a Problem; without a
 * session, leaves for the sign-in.
 */
const uploadFile = (file: File, { onProgress, signal }: Options): Promise<Uploaded> =>
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
          detail: t('The connection broke before the whole file was there. Upload it again.'),
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
