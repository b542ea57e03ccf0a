import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import type { ActivityQuery } from './vocabulary.ts'

const ROWS = 100

interface Props {
  readonly query: ActivityQuery
  /** Rows in all. */
  readonly count: number
}

/** Saves all rows of the answer as one file, which the service writes: what a spreadsheet would run stays text. */
export const DownloadCsv = ({ query, count }: Props) => {
  const [done, setDone] = useState<number | null>(null)
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])

  const download = async () => {
    const begun = new AbortController()
    reading.current = begun
    const { signal } = begun
    setDone(0)
    try {
      save(await readCsv(query, signal, setDone), nameOf(query))
    } catch (error) {
      if (!signal.aborted) notifyFailed(error)
    }
    setDone(null)
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} />}
      disabled={count === 0}
      onClick={done === null ? download : () => reading.current?.abort()}
    >
      {done === null ? 'Download CSV' : `Stop, at ${done.toLocaleString('en')} of ${count.toLocaleString('en')}`}
    </Button>
  )
}

/** Pages join to one file: only the first has the header. */
const readCsv = async (query: ActivityQuery, signal: AbortSignal, onRead: (rows: number) => void): Promise<string> => {
  const pages: string[] = []
  let cursor: string | null = null
  for (;;) {
    const { data, meta }: Awaited<ReturnType<typeof readPage>> = await readPage(query, cursor, signal)
    pages.push(data.csv ?? '')
    // Nearly: a text in quotes may hold line breaks of its own.
    onRead(pages.reduce((lines, page) => lines + page.split('\r\n').length - 1, -1))
    cursor = meta.next_cursor ?? null
    if (cursor === null) return pages.join('')
  }
}

const readPage = (query: ActivityQuery, cursor: string | null, signal: AbortSignal) =>
  call('analyze_activity', { ...query, format: 'csv', limit: ROWS, ...(cursor !== null && { cursor }) }, { signal })

const nameOf = ({ question, time }: ActivityQuery): string =>
  `assay-${question ?? 'figures'}-${time?.from?.slice(0, 10)}-${time?.to?.slice(0, 10)}.csv`

const save = (text: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
