import { ActionIcon, Box, Button, Group, Select } from '@mantine/core'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_FILTER_VALUES, MAX_FILTERS } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'
import { MultiChoice } from '../../parts/multi-choice.tsx'
import { TagsChoice } from './tags-choice.tsx'
import { groupValue, VALUES } from './values.ts'
import { choicesOf, FIELDS, type Field, type Filter, OPERATORS, type PathOf } from './vocabulary.ts'

interface Props {
  readonly filters: readonly Filter[]
  readonly canFilterBy: (field: Field) => boolean
  readonly pathOf: PathOf
  readonly onChange: (filters: readonly Filter[]) => void
}

/** Which events count: those for which every line holds. A line without a value says nothing yet. */
export const Filters = ({ filters, canFilterBy, pathOf, onChange }: Props) => {
  /** The place of the line that was added last: it takes the focus, which says that it is there. */
  const [added, setAdded] = useState(-1)
  const replace = (index: number, filter: Filter) => onChange(filters.map((each, at) => (at === index ? filter : each)))
  return (
    <Box mb="lg" role="group" aria-label={t('Filters')}>
      {filters.map((filter, index) => (
        <FilterLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place: all of it may change
          key={index}
          number={index + 1}
          isNew={index === added}
          filter={filter}
          canFilterBy={canFilterBy}
          pathOf={pathOf}
          onChange={changed => replace(index, changed)}
          onRemove={() => onChange(filters.filter((_, at) => at !== index))}
        />
      ))}
      {filters.length < MAX_FILTERS && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFilterPlus size={14} />}
          onClick={() => {
            setAdded(filters.length)
            onChange([...filters, { field: 'source', op: 'in', values: [] }])
          }}
        >
          {t('Add a filter')}
        </Button>
      )}
    </Box>
  )
}

interface LineProps {
  readonly number: number
  readonly isNew: boolean
  readonly filter: Filter
  readonly canFilterBy: (field: Field) => boolean
  readonly pathOf: PathOf
  readonly onChange: (filter: Filter) => void
  readonly onRemove: () => void
}

const FilterLine = ({ number, isNew, filter, canFilterBy, pathOf, onChange, onRemove }: LineProps) => {
  const { field, op, values } = filter
  const shared = {
    size: 'xs',
    'aria-label': t('Values of filter {number}', { number }),
    placeholder: values.length === 0 ? t('Any') : '',
    flex: 1,
    miw: 200,
    maw: 480,
    value: values,
    onChange: (changed: string[]) => onChange({ ...filter, values: changed }),
  }
  const known = field === 'node' ? [...pathOf.keys()] : VALUES[field]
  return (
    <Group gap="xs" mb="xs" align="flex-start">
      <Select
        size="xs"
        w={150}
        aria-label={t('Field of filter {number}', { number })}
        autoFocus={isNew}
        allowDeselect={false}
        data={choicesOf(FIELDS).filter(({ value }) => canFilterBy(value))}
        value={field}
        onChange={chosen => chosen !== null && onChange({ field: chosen, op, values: [] })}
      />
      <Select
        size="xs"
        w={100}
        aria-label={t('Comparison of filter {number}', { number })}
        allowDeselect={false}
        data={choicesOf(OPERATORS)}
        value={op}
        onChange={chosen => chosen !== null && onChange({ ...filter, op: chosen })}
      />
      {known === undefined || op === 'contains' ? (
        <TagsChoice {...shared} maxTags={MAX_FILTER_VALUES} acceptValueOnBlur />
      ) : (
        <MultiChoice
          {...shared}
          maxValues={MAX_FILTER_VALUES}
          searchable
          data={[...new Set([...values, ...known])].map(value => ({ value, label: groupValue(field, value, pathOf) }))}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={t('Remove filter {number}', { number })}
        onClick={onRemove}
      >
        <IconX size={14} />
      </ActionIcon>
    </Group>
  )
}
