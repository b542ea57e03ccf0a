import { Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { useOperationPages } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { ChooseList } from '../../parts/evidence/choose-list.tsx'
import { MoreButton } from '../../parts/lists.tsx'

interface Props {
  /** The theme that is no choice. */
  readonly except: string
  readonly opened: boolean
  readonly onClose: () => void
  readonly onChoose: (reference: string) => void
}

/** Another theme that says the same as this one. */
export const ThemePicker = ({ opened, onClose, ...search }: Props) => (
  <Modal opened={opened} onClose={onClose} title={t('The same as this theme')} size="lg">
    <Search onClose={onClose} {...search} />
  </Modal>
)

const Search = ({ except, onClose, onChoose }: Omit<Props, 'opened'>) => {
  const [text, setText] = useState('')
  const query = useOperationPages('list_themes', { alike: except, limit: MAX_LIMIT })
  const { items, first, error } = query
  const words = text.trim().toLowerCase()
  const said = ({ reference, name, quotes }: (typeof items)[number]): string =>
    [reference, name, ...quotes.map(quote => quote.text)].join('\n').toLowerCase()
  const found = items
    .filter(theme => theme.reference !== except && said(theme).includes(words))
    .map(({ id, reference, name, signals }) => ({ id, reference, title: name, mark: counted(signals, 'signal') }))
  return (
    <Stack gap="sm">
      <ChooseList
        about={t(
          'Both are one theme from now on, also when themes are found anew. You can undo it, or separate them later.',
        )}
        label={t('Find a theme')}
        text={text}
        onType={setText}
        found={first === undefined ? undefined : found}
        nothing={t('No theme matches.')}
        error={error}
        retry={query.refetch}
        onChoose={({ reference }) => {
          onClose()
          onChoose(reference)
        }}
      />
      <MoreButton query={query} />
    </Stack>
  )
}
