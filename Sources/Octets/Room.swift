// What protocols and files share below the level of text: octets, never String.
