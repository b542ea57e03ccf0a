import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { DocumentEdit } from '../../../../../schemas/domain/vocabulary.ts'
import { useOperationPages } from '../../../api/operations.ts'
import { language, t } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { TellingButton } from '../../../parts/controls.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import classes from '../solution.module.css'
import { type Version, VersionLine } from './version-line.tsx'

interface Props {
  readonly reference: string
  readonly onRead: (version: number) => void
  readonly onCompare: (since: number, to: number) => void
}

/** Every version of a Living Document, newest first. Two that are chosen are compared. */
export const Versions = ({ reference, onRead, onCompare }: Props) => {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'lookup_living_document',
    { id: reference, show: 'versions', limit: 50 },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />
  }
  // The two that were chosen last.
  const choose = (version: number) =>
    setChosen(chosen.includes(version) ? chosen.filter(each => each !== version) : [...chosen, version].slice(-2))
  const [since, to] = chosen.toSorted((one, other) => one - other)
  return (
    <>
      <Group justify="space-between" mb="sm" gap="sm" data-chrome>
        <Text size="sm" c="dimmed">
          {t('Choose two to compare them.')}
        </Text>
        <Group gap="sm">
          <TellingButton
            size="xs"
            missing={since === undefined || to === undefined ? t('Choose two versions first.') : null}
            onClick={() => since !== undefined && to !== undefined && onCompare(since, to)}
          >
            {t('Compare')}
          </TellingButton>
          <Button size="xs" variant="default" onClick={() => onRead(first.newest_version)}>
            {t('Back to the text')}
          </Button>
        </Group>
      </Group>
      <ol className={classes.rows}>
        {items.map(version => (
          <li key={version.version} className={classes.row}>
            <Checkbox
              size="xs"
              aria-label={t('Choose version {version}', { version: version.version })}
              checked={chosen.includes(version.version)}
              onChange={() => choose(version.version)}
            />
            <div className={classes.name}>
              <VersionLine version={version} />
              <Text size="xs" c="dimmed">
                {rich('{version}, {characters} characters', {
                  version: <bdi>{whatOf(version)}</bdi>,
                  characters: version.characters.toLocaleString(language),
                })}
              </Text>
            </div>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={t('Read version {version}', { version: version.version })}
              onClick={() => onRead(version.version)}
            >
              {t('Read')}
            </Button>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

const EDITS: Readonly<Record<DocumentEdit, string>> = {
  replace: t('rewritten'),
  append: t('added to'),
  insert: t('a section inserted after'),
  delete: t('taken out'),
}

const whatOf = ({ edit, section }: Version): string =>
  section.length === 0 ? t('The whole {edit}', { edit: EDITS[edit] }) : `${section.join(' / ')}: ${EDITS[edit]}`
