import { Button, Group, VisuallyHidden } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import { useCanEdit, useRole } from '../../../api/operations.ts'
import { t } from '../../../language/messages.ts'
import { loadPart } from '../../../load-part.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../parts/states.tsx'
import { UnsentWords } from '../../../parts/unsent-words.tsx'
import { useUrlState } from '../../../parts/use-url-state.ts'
import { useKeys } from '../../../shell/keys.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { toggleTask } from '../markdown/toggle-task.ts'
import { type Draft, useDocumentDraft, useFullText } from './use-document.ts'
import { VersionLine } from './version-line.tsx'

const loadLater = loadPart(() => import('./later.tsx'))
const Editor = lazy(async () => ({ default: (await loadLater()).Editor }))
const Differences = lazy(async () => ({ default: (await loadLater()).Differences }))
const Versions = lazy(async () => ({ default: (await loadLater()).Versions }))

/** What is shown: the text of a version (the newest unless one is named), all versions, or the differences of two. */
const SHOWN = { show: 'text', version: '', since: '', as: '' }

interface Props {
  readonly reference: string
  /** The newest version; 0 while there is none. */
  readonly newest: number
}

/** The Living Document of a Solution: read, edited, its versions, and what changed between any two. */
export const Document = (props: Props) => (
  <section aria-labelledby="living-document">
    <VisuallyHidden component="h2" id="living-document">
      {t('Living Document')}
    </VisuallyHidden>
    <Suspense fallback={<LoadingState rows={8} />}>
      <Shown {...props} />
    </Suspense>
  </section>
)

const Shown = ({ reference, newest }: Props) => {
  const [shown, change] = useUrlState(SHOWN)
  const [draft, setDraft] = useDocumentDraft(reference)
  const canEdit = useCanEdit()
  const role = useRole()
  const wasBegun = useRef(draft !== null)
  if (draft === null) wasBegun.current = false
  if (draft !== null && canEdit) {
    const edited = (next: Draft | null) => {
      setDraft(next)
      // What is read next is the newest, also when the edit began with an old version.
      if (next === null) change({ show: 'text', version: '', since: '' })
    }
    return <Editor reference={reference} draft={draft} newest={newest} wasBegun={wasBegun.current} onChange={edited} />
  }
  const unsent = draft !== null && role === 'viewer' && (
    <UnsentWords text={draft.text} onDiscard={() => setDraft(null)} />
  )
  if (newest === 0) {
    return (
      <>
        {unsent}
        <EmptyState icon={IconFileText} title={t('It has no Living Document yet')}>
          {t('One text that grows with the Solution: what and why, the plan, what was learned. Every version is kept.')}
          {canEdit && (
            <div>
              <Button mt="md" onClick={() => setDraft({ version: 0, text: '' })}>
                {t('Begin the document')}
              </Button>
            </div>
          )}
        </EmptyState>
      </>
    )
  }
  const version = Number(shown.version) || newest
  const read = (read: number) => change({ show: 'text', version: read === newest ? '' : String(read), since: '' })
  if (shown.show === 'versions') {
    return (
      <Versions
        reference={reference}
        onRead={read}
        onCompare={(since, to) => change({ show: 'changes', since: String(since), version: String(to) })}
      />
    )
  }
  if (shown.show === 'changes') {
    return (
      <Differences
        reference={reference}
        newest={newest}
        since={Number(shown.since) || Math.max(1, version - 1)}
        to={version}
        as={shown.as}
        onAs={as => change({ as })}
        onChange={(since, to) => change({ since: String(since), version: String(to) })}
        onVersions={() => change({ show: 'versions' })}
      />
    )
  }
  return (
    <>
      {unsent}
      <VersionText
        reference={reference}
        newest={newest}
        version={version}
        onEdit={canEdit ? setDraft : null}
        onVersions={() => change({ show: 'versions' })}
        onChanges={() => change({ show: 'changes', version: String(version), since: '' })}
        onNewest={() => read(newest)}
      />
    </>
  )
}

interface VersionTextProps extends Props {
  readonly version: number
  /** Null: the person may not edit it. */
  readonly onEdit: ((draft: Draft) => void) | null
  readonly onVersions: () => void
  readonly onChanges: () => void
  readonly onNewest: () => void
}

const VersionText = ({ reference, newest, version, onEdit, onVersions, onChanges, onNewest }: VersionTextProps) => {
  const { data, error, refetch } = useFullText({ id: reference, version })
  const edit = () => data !== undefined && onEdit?.({ version: newest, text: data.text })
  useKeys([
    ...(onEdit === null ? [] : [{ key: 'd', does: t('Edit the Living Document'), run: () => void edit() }]),
    { key: 'v', does: t('Versions of the Living Document'), run: onVersions },
  ])
  if (data === undefined) {
    return error === null ? <LoadingState rows={8} height={20} /> : <ErrorState error={error} retry={refetch} />
  }
  const isOld = version < newest
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <VersionLine version={data} />
        <Group gap="sm" data-chrome>
          {isOld && (
            <Button size="xs" variant="default" onClick={onNewest}>
              {t('Back to version {newest}', { newest })}
            </Button>
          )}
          {newest > 1 && (
            <Button size="xs" variant="default" onClick={onChanges}>
              {t('What changed')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onVersions}>
            {t('Versions')}
          </Button>
          {onEdit !== null && (
            <Button size="xs" onClick={edit} aria-description={t('Living Document')}>
              {isOld ? t('Restore in the editor') : t('Edit')}
            </Button>
          )}
        </Group>
      </Group>
      <article className="reading" aria-label={t('Living Document, version {version}', { version })}>
        <Markdown
          text={data.text}
          {...(onEdit !== null &&
            !isOld && {
              onTick: line => onEdit({ version: newest, text: toggleTask(data.text, line), isTicked: true }),
            })}
        />
      </article>
    </>
  )
}
