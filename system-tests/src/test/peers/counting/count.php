<?php
// Writes the body of a request as a line into the file that COUNTED names, and answers it.
$body = file_get_contents('php://input');
file_put_contents($_SERVER['COUNTED'], "$body\n", FILE_APPEND);
usleep(10_000);
echo $body;
