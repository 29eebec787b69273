"""What the lamps show, and its adapters: gpiozero and the serial link."""
