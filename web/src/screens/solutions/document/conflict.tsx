import { Alert, Button, Group, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useOperation } from '../../../api/hooks.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { notifyDone } from '../../../shell/notify.tsx'
import { counted } from '../figures.ts'
import { DifferenceLines } from './difference-lines.tsx'
import type { Draft } from './use-draft.ts'
import { useFullText } from './use-full-text.ts'
import { VersionLine } from './version-line.tsx'

interface Props {
  readonly reference: string
  readonly draft: Draft
  readonly onBrought: (text: string, version: number) => void
}

/** Somebody saved a version meanwhile: shows what they changed, and brings both together. Neither text is lost. */
export const Conflict = ({ reference, draft, onBrought }: Props) => {
  const [isShown, setShown] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const { data: newest } = useOperation('lookup_living_document', { id: reference, depth: 'summary' })
  const bring = async () => {
    try {
      const { data } = await call('merge_living_document', {
        solution_id: reference,
        version: draft.version,
        markdown: draft.text,
      })
      const places = counted(data.conflicts, 'place')
      notifyDone(
        data.conflicts === 0
          ? 'Both are in the text. Read it, then save it.'
          : `Both changed the same lines in ${places}: choose between the marks, then save.`,
      )
      onBrought(data.text, data.newest.version)
    } catch (error) {
      setFailed(error)
    }
  }
  return (
    <Alert
      mb="md"
      variant="default"
      role="alert"
      icon={<IconGitMerge size={18} color="var(--mantine-color-anchor)" />}
      title="Somebody saved a version while you wrote"
    >
      <Text size="sm" mb="sm">
        Nothing was written, and your text is below as you left it.
      </Text>
      {newest !== undefined && <VersionLine version={newest} />}
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={bring}>
          Bring both together
        </Button>
        <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          What they changed
        </Button>
      </Group>
      {isShown && newest !== undefined && (
        <Theirs reference={reference} since={draft.version} to={newest.newest_version} />
      )}
      {failed !== null && <ErrorState error={failed} title="They were not brought together" />}
    </Alert>
  )
}

interface TheirsProps {
  readonly reference: string
  readonly since: number
  readonly to: number
}

const Theirs = ({ reference, since, to }: TheirsProps) => {
  const { data, error } = useFullText({
    id: reference,
    show: 'changes',
    version: to,
    // Without a version before it, all of theirs is new.
    ...(since > 0 && { since_version: since }),
  })
  if (error !== null) return <ErrorState error={error} />
  return data === undefined ? <Text size="sm">Reading…</Text> : <DifferenceLines text={data.text} />
}
