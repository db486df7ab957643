import * as v from 'valibot'

export const whySchema = v.pipe(
  v.nullable(v.picklist(['unknown', 'withdrawn', 'replaced', 'registry'])),
  v.description(
    'Why it is not trusted: nobody said yes, the yes was taken back, another memory took the place of the trusted one, or the list of projects cannot be read',
  ),
)
