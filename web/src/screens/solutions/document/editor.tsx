import { Alert, Button, Group, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../../schemas/domain/limits.ts'
import { call, useOperation } from '../../../api/operations.ts'
import { counted, language, t } from '../../../language/messages.ts'
import { loadPart } from '../../../load-part.ts'
import { Confirm } from '../../../parts/change-dialog.tsx'
import { TellingButton } from '../../../parts/controls.tsx'
import { DecisionDialog } from '../../../parts/decision-dialog.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { notifyDone } from '../../../shell/notify.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { toggleTask } from '../markdown/toggle-task.ts'
import { useDecisionChange } from '../use-decision-change.ts'
import { DifferenceLines } from './differences.tsx'
import classes from './document.module.css'
import { type Draft, useFullText } from './use-document.ts'
import { VersionLine } from './versions.tsx'

/** The editor comes once somebody writes: readers do not load it. */
const MarkdownEditor = lazy(
  loadPart(() => import('./writing/markdown-editor.tsx').then(({ MarkdownEditor }) => ({ default: MarkdownEditor }))),
)

/** The marks that bringing two edits together leaves around what both changed. */
const HAS_MARKS = /^(<{7} yours|>{7} theirs)$/m

interface Props {
  readonly reference: string
  readonly draft: Draft
  /** Null: it is saved, or thrown away. */
  readonly onChange: (draft: Draft | null) => void
}

/** Edits a Living Document as text, with what it will look like beside it; ticks its tasks without the text. */
export const Editor = ({ reference, draft, onChange }: Props) => {
  const [dialog, setDialog] = useState<'save' | 'discard' | null>(null)
  const saving = useDecisionChange('edit_living_document', {
    doneMessage: t('Version {number} is saved.', { number: draft.version + 1 }),
    reversible: false,
    onDone: () => onChange(null),
  })
  const excess = draft.text.length - MAX_CHARACTERS.document
  const isStale = saving.error?.code === 'conflict'
  const tooLong = t('{characters} too long: {document} at most.', {
    characters: counted(excess, 'character'),
    document: MAX_CHARACTERS.document.toLocaleString(language),
  })
  const missing = isStale
    ? t('Somebody saved a version meanwhile: bring both together first.')
    : excess > 0
      ? tooLong
      : draft.version === 0 && draft.text.trim() === ''
        ? t('Write something first.')
        : null
  const canSave = missing === null
  // The editor's key asks too.
  const save = useCallback(() => canSave && setDialog('save'), [canSave])
  const brought = (text: string, version: number) => {
    saving.reset()
    onChange({ text, version })
  }
  const preview = (
    <Markdown text={draft.text} onTick={line => onChange({ ...draft, text: toggleTask(draft.text, line) })} />
  )
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('{what} This tab keeps what you write until you save it.', {
            what:
              draft.version === 0 ? t('The first version.') : t('On version {version}.', { version: draft.version }),
          })}
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => setDialog('discard')}>
            {t('Discard')}
          </Button>
          {draft.isTicked === true && (
            <Button size="xs" variant="default" onClick={() => onChange({ ...draft, isTicked: false })}>
              {t('Edit')}
            </Button>
          )}
          <TellingButton size="xs" onClick={save} missing={missing}>
            {t('Save version {number}', { number: draft.version + 1 })}
          </TellingButton>
        </Group>
      </Group>
      {excess > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="sm">
          {tooLong}
        </Text>
      )}
      {isStale && <Conflict reference={reference} draft={draft} onBrought={brought} />}
      {draft.isTicked === true ? (
        <article className="reading" aria-label={t('Preview')}>
          {preview}
        </article>
      ) : (
        <div className={classes.sides}>
          <Suspense fallback={<LoadingState rows={8} height={20} />}>
            <MarkdownEditor text={draft.text} onChange={text => onChange({ ...draft, text })} onSave={save} />
          </Suspense>
          <section className={classes.preview} aria-label={t('Preview')}>
            {draft.text.trim() === '' ? (
              <Text size="sm" c="dimmed">
                {t(
                  'What you write shows here. Two brackets, [[, find a claim or a Solution to name. Ctrl or ⌘ with S saves.',
                )}
              </Text>
            ) : (
              preview
            )}
          </section>
        </div>
      )}
      <DecisionDialog
        opened={dialog === 'save' && !isStale}
        title={t('Save version {number}', { number: draft.version + 1 })}
        action={t('Save')}
        statement={
          draft.version === 0
            ? t('Begin the Living Document of {reference}.', { reference })
            : t('Edit the Living Document of {reference}.', { reference })
        }
        change={saving}
        onClose={() => setDialog(null)}
        onDecide={grounds =>
          saving.decide({
            solution_id: reference,
            markdown: draft.text,
            ...(draft.version > 0 && { version: draft.version }),
            ...grounds,
          })
        }
      >
        {HAS_MARKS.test(draft.text) && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('The text still has marks around lines that both of you changed. They would be saved as they are.')}
          </Text>
        )}
      </DecisionDialog>
      <Confirm
        opened={dialog === 'discard'}
        title={t('Discard this edit?')}
        action={t('Discard')}
        change={null}
        onConfirm={() => onChange(null)}
        onClose={() => setDialog(null)}
      >
        {t('What you wrote since version {version} is lost. The versions stay as they are.', {
          version: draft.version,
        })}
      </Confirm>
    </>
  )
}

interface ConflictProps {
  readonly reference: string
  readonly draft: Draft
  readonly onBrought: (text: string, version: number) => void
}

/** Somebody saved a version meanwhile: shows what they changed, and brings both together. Neither text is lost. */
const Conflict = ({ reference, draft, onBrought }: ConflictProps) => {
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
          ? t('Both are in the text. Read it, then save it.')
          : t('Both changed the same lines in {places}: choose between the marks, then save.', { places }),
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
      title={t('Somebody saved a version while you wrote')}
    >
      <Text size="sm" mb="sm">
        {t('Nothing was written, and your text is below as you left it.')}
      </Text>
      {newest !== undefined && <VersionLine version={newest} />}
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={bring}>
          {t('Bring both together')}
        </Button>
        <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t('What they changed')}
        </Button>
      </Group>
      {isShown && newest !== undefined && (
        <Theirs reference={reference} since={draft.version} to={newest.newest_version} />
      )}
      {failed !== null && <ErrorState error={failed} title={t('They were not brought together')} />}
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
  return data === undefined ? <Text size="sm">{t('Reading…')}</Text> : <DifferenceLines text={data.text} />
}
